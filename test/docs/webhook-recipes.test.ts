/** Runs the recipes of docs/webhooks.md verbatim against real signatures, for each installed language. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createWebhookSecret, signWebhook } from '../../contract/webhook/webhook-signature.ts';
import { GO_ENV } from '../../sandbox/stack/process/tool.ts';

const run = promisify(execFile);

interface Language {
  /** The language named at the code block. */
  readonly name: string;
  readonly program: string;
  readonly recipeFile: string;
  /** Reads cases.json (`[{ body, header, secret }]`), prints one line of JSON per case. */
  readonly driver: readonly [file: string, code: string];
  readonly args: readonly string[];
  /** A slow set-up, run before the cases are signed: some timestamps are within a minute of the tolerance. */
  readonly build?: readonly string[];
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'python',
    program: 'python3',
    recipeFile: 'recipe.py',
    args: ['driver.py'],
    driver: [
      'driver.py',
      `import json
from recipe import verify
for case in json.load(open("cases.json")):
    try:
        print(json.dumps(verify(case["body"].encode(), case["header"], case["secret"])["id"]))
    except ValueError as error:
        print(json.dumps(str(error)))
`,
    ],
  },
  {
    name: 'php',
    program: 'php',
    recipeFile: 'recipe.php',
    args: ['driver.php'],
    driver: [
      'driver.php',
      `<?php
require 'recipe.php';
foreach (json_decode(file_get_contents('cases.json'), true) as $case) {
    try {
        echo json_encode(verify($case['body'], $case['header'], $case['secret'])['id']), "\\n";
    } catch (RuntimeException $error) {
        echo json_encode($error->getMessage()), "\\n";
    }
}
`,
    ],
  },
  {
    name: 'go',
    program: 'go',
    recipeFile: 'webhooks/recipe.go',
    build: ['build', '.'],
    args: ['run', '.'],
    driver: [
      'main.go',
      `package main

import (
	"encoding/json"
	"fmt"
	"os"

	"recipe/webhooks"
)

func main() {
	var cases []struct{ Body, Header, Secret string }
	data, _ := os.ReadFile("cases.json")
	if err := json.Unmarshal(data, &cases); err != nil {
		panic(err)
	}
	for _, one := range cases {
		event, err := webhooks.Verify([]byte(one.Body), one.Header, one.Secret)
		if err != nil {
			fmt.Printf("%q\\n", err.Error())
		} else {
			fmt.Printf("%q\\n", event["id"])
		}
	}
}
`,
    ],
  },
  {
    name: 'ruby',
    program: 'ruby',
    recipeFile: 'recipe.rb',
    args: ['driver.rb'],
    driver: [
      'driver.rb',
      `require_relative "recipe"
JSON.parse(File.read("cases.json")).each do |one|
  puts JSON.generate(verify(one["body"], one["header"], one["secret"])["id"])
rescue InvalidSignature => error
  puts JSON.generate(error.message)
end
`,
    ],
  },
  {
    name: 'js',
    program: process.execPath,
    recipeFile: 'recipe.mjs',
    args: ['driver.mjs'],
    driver: [
      'driver.mjs',
      `import { readFileSync } from 'node:fs';
import { verify } from './recipe.mjs';
for (const { body, header, secret } of JSON.parse(readFileSync('cases.json'))) {
  try {
    console.log(JSON.stringify(verify(body, header, secret).id));
  } catch (error) {
    console.log(JSON.stringify(error.code));
  }
}
`,
    ],
  },
];

const secret = createWebhookSecret();
const other = createWebhookSecret();
const body = JSON.stringify({ id: 'evt_1', name: 'Müller & Søn – 10 €' });
const sign = (timestamp: number, secrets: string[], rawBody = body) =>
  signWebhook({ rawBody, timestamp, secrets });
interface Case {
  readonly body?: string;
  readonly header: string;
  readonly accepted: boolean;
}

/** @param now Unix seconds */
function casesAt(now: number): Readonly<Record<string, Case>> {
  const good = sign(now, [secret]);
  const hex = good.split('v1=')[1];

  return {
    'a genuine webhook': { header: good, accepted: true },
    'the second of two signatures': { header: sign(now, [other, secret]), accepted: true },
    'spaces after the comma': { header: good.replace(',', ', '), accepted: true },
    'a timestamp within the tolerance': { header: sign(now - 240, [secret]), accepted: true },
    'another secret': { header: sign(now, [other]), accepted: false },
    'another body': { body: `${body} `, header: good, accepted: false },
    'a body that a proxy rewrote': {
      body: JSON.stringify(JSON.parse(body), null, 1),
      header: good,
      accepted: false,
    },
    'an old timestamp': { header: sign(now - 400, [secret]), accepted: false },
    'a timestamp from the future': { header: sign(now + 400, [secret]), accepted: false },
    'a timestamp that was changed': { header: good.replace(`t=${now}`, `t=${now - 1}`), accepted: false },
    'no header': { header: '', accepted: false },
    'no timestamp': { header: `v1=${hex}`, accepted: false },
    'two timestamps': { header: `t=${now},${good}`, accepted: false },
    'no signature': { header: `t=${now}`, accepted: false },
    'half a signature': { header: good.slice(0, -32), accepted: false },
    'a signature of another scheme': { header: good.replace('v1', 'v0'), accepted: false },
    'a header that ends in a line feed': { header: `${sign(now, [other])}\n`, accepted: false },
    nonsense: { header: 'nonsense', accepted: false },
  };
}

let dir: string;
let document: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'recipes-'));
  document = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe.each(LANGUAGES)('the recipe in $name', (language) => {
  const recipe = () => new RegExp(`\`\`\`${language.name}\n([\\s\\S]*?)\`\`\``).exec(document)?.[1] ?? '';

  test('exists in the document', () => {
    expect(recipe()).toContain('erify');
  });

  (isThere(language.program) ? test : test.skip)('accepts only genuine webhooks', async () => {
    const place = await mkdtemp(join(dir, `${language.name}-`));
    const write = async (file: string, text: string) => {
      await run('mkdir', ['-p', join(place, file, '..')]);
      await writeFile(join(place, file), text);
    };
    const library = new URL('../../packages/webhooks/src/index.ts', import.meta.url).href;
    await write(language.recipeFile, recipe().replace("'hosted-checkout-webhooks'", `'${library}'`));
    await write(...language.driver);
    if (language.name === 'go') await write('go.mod', 'module recipe\n\ngo 1.21\n');
    const env = { ...process.env, ...GO_ENV, GOTOOLCHAIN: 'local', NODE_OPTIONS: '' };
    if (language.build) await run(language.program, [...language.build], { cwd: place, env });
    const cases = casesAt(Math.floor(Date.now() / 1_000));
    const inFile = Object.values(cases).map((one) => ({ body, secret, ...one }));
    await write('cases.json', JSON.stringify(inFile));
    const { stdout } = await run(language.program, [...language.args], { cwd: place, env });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(Object.fromEntries(Object.keys(cases).map((name, index) => [name, answers[index]]))).toEqual(
      Object.fromEntries(
        Object.entries(cases).map(([name, { accepted }]) => [name, accepted ? 'evt_1' : 'invalid_signature']),
      ),
    );
  });
});

function isThere(program: string): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v "$1"', 'sh', program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
