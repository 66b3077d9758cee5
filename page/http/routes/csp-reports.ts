/**
 * `POST /pay/csp-reports`: browsers' reports of violations of the page's content security policies. A report contains
 * the page's address, which is a credential, so only the kind of document is stored from the address.
 */
import type { Request, Response } from 'express';
import { z } from 'zod';
import { countPolicyReport, type PolicyReport } from '../../../db/operations/policy-reports.ts';
import type { PageContext } from '../context.ts';
import { networkOf } from '../limits.ts';

/** A browser may send several reports at once. */
const MAX_AT_ONCE = 20;

/** Directives of Content Security Policy 3; reports with any other name are forged. */
const DIRECTIVES = [
  ...[
    'default',
    'script',
    'style',
    'connect',
    'img',
    'font',
    'frame',
    'child',
    'worker',
    'media',
    'object',
    'manifest',
  ].map((what) => `${what}-src`),
  ...['script', 'style'].flatMap((what) => [`${what}-src-elem`, `${what}-src-attr`]),
  'base-uri',
  'form-action',
  'frame-ancestors',
];

const ofReportUri = z.object({
  'csp-report': z.object({
    'document-uri': z.string(),
    'effective-directive': z.string().optional(),
    'violated-directive': z.string().optional(),
    'blocked-uri': z.string().default(''),
  }),
});
const ofReportTo = z.array(
  z.object({
    type: z.string(),
    body: z.object({
      documentURL: z.string(),
      effectiveDirective: z.string(),
      blockedURL: z.string().default(''),
    }),
  }),
);

export function policyReports(context: PageContext) {
  const named = namedToday();
  return async (req: Request, res: Response) => {
    for (const report of reportsIn(req.body)) {
      const naming = named.begin(`${report.document} ${report.directive} ${networkOf(req.ip)}`);
      const { kind, first } = await countPolicyReport(context.pool, report, naming !== null);
      if (!first || kind !== report) naming?.undo();
      if (first && !isOfAnExtension(kind))
        context.logger.error({ ...kind }, 'content security policy violated');
    }
    res.status(204).end();
  };
}

/**
 * Lets each client of this process name one blocked address a day per document and directive, so that one client's
 * forged reports cannot use up the slots of all others. Kept in memory, because a client's address is personal data.
 */
function namedToday() {
  let day = '';
  let named = new Set<string>();
  return {
    /** @returns null if the client has already named an address today */
    begin(whose: string): { undo(): void } | null {
      const today = new Date().toISOString().slice(0, 10);
      if (today !== day) named = new Set();
      day = today;
      if (named.has(whose)) return null;
      named.add(whose);
      return { undo: () => void named.delete(whose) };
    },
  };
}

/** Parses reports. Malformed ones are dropped silently, because browsers ignore the response. */
export function reportsIn(body: unknown): readonly PolicyReport[] {
  const old = ofReportUri.safeParse(body);
  if (old.success) {
    const report = old.data['csp-report'];
    const directive = report['effective-directive'] ?? report['violated-directive'] ?? '';
    return [kindOf(report['document-uri'], directive, report['blocked-uri'])];
  }
  const several = ofReportTo.safeParse(body);
  if (!several.success) return [];
  return several.data
    .filter(({ type }) => type === 'csp-violation')
    .slice(0, MAX_AT_ONCE)
    .map(({ body: { documentURL, effectiveDirective, blockedURL } }) =>
      kindOf(documentURL, effectiveDirective, blockedURL),
    );
}

function kindOf(documentUrl: string, directive: string, blocked: string): PolicyReport {
  return {
    document: documentOf(URL.parse(documentUrl)?.pathname ?? ''),
    directive: DIRECTIVES.find((each) => each === /^[a-z-]*/.exec(directive)?.[0]) ?? 'other',
    blocked: blockedOf(blocked),
  };
}

function documentOf(path: string): string {
  if (/\/rails\/[^/]+\/[^/]+\/fields$/.test(path)) return 'fields';
  if (/\/pay\/[^/]+\/challenge(\/return)?$/.test(path)) return 'challenge';
  return /\/pay\/[^/]+$/.test(path) ? 'page' : 'other';
}

/** Removes path and query, which may name the buyer, from an address; keywords such as `inline` stay unchanged. */
function blockedOf(blocked: string): string {
  const url = URL.parse(blocked);
  const short = url?.host ? `${url.protocol}//${url.host}` : blocked.split(':')[0];
  return /^[\x21-\x7e]{1,100}$/.test(short ?? '') ? String(short) : 'other';
}

/** Returns true for reports caused by a browser extension: they arrive every day, and are counted without an alert. */
function isOfAnExtension({ blocked }: PolicyReport): boolean {
  return /^[a-z-]+-extension\b/.test(blocked);
}
