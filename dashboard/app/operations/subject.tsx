import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { BASE } from '../api/config.ts';
import type { Schemas } from '../api/description.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Copy } from '../ui/copy.tsx';
import { Card, Fact, Facts, Loading, Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { exactTime, money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { type CommandAnswer, CommandDialog } from './command.tsx';
import { type OfferedCommand, offeredCommands } from './commands.ts';
import { kindText, TemporalLink } from './incidents.tsx';
import { RequestFacts, SecondPerson } from './second-person.tsx';
import { useMayAct, useOperatorRead } from './use.ts';

type Explanation = Schemas['OperatorExplanation'];

/** The states in which a request can be confirmed. */
const IS_OPEN: readonly string[] = ['waiting', 'confirmed'];

/** Explains an object's state and its next step, and offers the operator's commands. */
export function Subject({ id }: { readonly id: string }) {
  const mayAct = useMayAct();
  const { data, error } = useOperatorRead('explainSubject', { path: { id } });
  const [command, setCommand] = useState<OfferedCommand | null>(null);
  const [said, setSaid] = useState<CommandAnswer | null>(null);
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  const { subject, incidents } = data;
  return (
    <Page
      title={words.operations.subjects[subject.kind]}
      actions={
        mayAct &&
        offeredCommands(data.commands).map((each) => (
          <Button key={`${each.name} ${each.kind}`} onClick={() => setCommand(each)}>
            {words.operations.commands[each.name].name}
          </Button>
        ))
      }
    >
      <p class="subtitle">
        <Badge tone={incidents.length > 0 ? 'bad' : 'calm'}>{subject.state}</Badge>
        {subject.amount !== null && subject.currency && (
          <span>{money(subject.amount, subject.currency)}</span>
        )}
        <Copy value={subject.id} />
      </p>
      <ProblemNote error={error} />
      {said && (
        <p class={said.done ? 'note good' : 'note'} role="status">
          {said.message}
        </p>
      )}
      <div class="columns">
        <div>
          <Card title={words.operations.means}>
            <p>{data.means}</p>
            <p class="muted">{data.by_itself}</p>
          </Card>
          <History of={data} />
        </div>
        <div>
          <Details of={data} />
          {data.request && (
            <Card title={words.operations.requested}>
              <RequestFacts request={data.request} />
              {mayAct && IS_OPEN.includes(subject.state) && (
                <p class="row-actions">
                  <SecondPerson request={data.request} />
                </p>
              )}
            </Card>
          )}
          {incidents.length > 0 && <Incidents of={data} />}
        </div>
      </div>
      {command && (
        <CommandDialog
          command={command}
          id={subject.id}
          onClose={() => setCommand(null)}
          onDone={(answer) => {
            setSaid(answer);
            setCommand(null);
          }}
        />
      )}
    </Page>
  );
}

function History({ of: { subject, history } }: { readonly of: Explanation }) {
  return (
    <Card title={words.payments.timeline}>
      <ol class="timeline">
        {history.map(({ at, what, id }) => (
          <li key={`${at} ${what} ${id}`}>
            <p class="break">{what}</p>
            {id !== subject.id && <p class="muted break">{id}</p>}
            <time dateTime={at}>{exactTime(at)}</time>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Incidents({ of: { incidents } }: { readonly of: Explanation }) {
  return (
    <Card title={words.operations.incidents}>
      <ul class="rows">
        {incidents.map(({ kind, id, means, reason, since, next }) => (
          <li key={`${kind} ${id}`}>
            <strong>{kindText(kind)}</strong>
            <Time at={since} />
            <code class="full">{kind}</code>
            <span class="full">{means}</span>
            <span class="muted full">{reason}</span>
            <code class="muted full">{next}</code>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Details({
  of: { subject, next_at: next, rail_said: said, related, workflow_url: url },
}: {
  readonly of: Explanation;
}) {
  return (
    <Card title={words.payments.details}>
      <Facts>
        {subject.merchant_id !== '' && (
          <Fact name={words.operations.merchant}>
            <Link
              href={`~${BASE}/${subject.merchant_id}/${subject.environment === 'sandbox' ? 'sandbox' : 'live'}`}
            >
              {subject.merchant_id}
            </Link>
          </Fact>
        )}
        {subject.environment && (
          <Fact name={words.common.environment}>{words.common[subject.environment]}</Fact>
        )}
        {subject.rail_reference && (
          <Fact name={words.payments.processorId}>
            <Copy value={subject.rail_reference} />
          </Fact>
        )}
        {next && (
          <Fact name={words.operations.next}>
            <Time at={next} />
          </Fact>
        )}
        {said && (
          <Fact name={words.operations.railSaid}>
            {said.words} <Time at={said.at} />
          </Fact>
        )}
        {url && (
          <Fact name={words.operations.workflow}>
            <TemporalLink href={url} />
          </Fact>
        )}
        {related.length > 0 && (
          <Fact name={words.operations.related}>
            <ul>
              {related.map(({ kind, id, state }) => (
                <li key={id} class="break">
                  {kind}{' '}
                  <Link href={kind in words.operations.subjects ? `/subjects/${id}` : `/find?q=${id}`}>
                    {id}
                  </Link>{' '}
                  <span class="muted">{state}</span>
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
    </Card>
  );
}
