import { expect, test } from '@jest/globals';
import { csvLine } from '../../../domain/core/csv.ts';

test.each([
  [['a', 1, null, 'b'], 'a,1,,b\r\n'],
  [[''], '\r\n'],
  [['a,b', 'c'], '"a,b",c\r\n'],
  [['say "hi"'], '"say ""hi"""\r\n'],
  [['two\nlines', 'two\r\nlines'], '"two\nlines","two\r\nlines"\r\n'],
  [['carriage\rreturn'], '"carriage\rreturn"\r\n'],
] as const)('%j is written as one RFC 4180 line', (values, line) => {
  expect(csvLine(values)).toBe(line);
});

test.each(['=1+1', '+49', '-1', '@SUM(A1)', '\tx'])(
  '%j is escaped, so that no spreadsheet reads it as a formula',
  (value) => {
    expect(csvLine([value])).toBe(`'${value}\r\n`);
  },
);

test('a leading carriage return is escaped too', () => {
  expect(csvLine(['\r=1'])).toBe('"\'\r\'=1"\r\n');
});

test.each([
  ['a;=1+1;b@c.de', "a;'=1+1;b@c.de"],
  ['a;;-1|@SUM(A1)', "a;;'-1|'@SUM(A1)"],
  ['a\t=1+1', "a\t'=1+1"],
  ['\t=1+1', "'\t'=1+1"],
  ['a;"=1+1;b@c.de', '"a;\'""=1+1;b@c.de"'],
  ['two\n+lines', '"two\n\'+lines"'],
])('%j contains no formula, even for a spreadsheet with another separator', (value, cell) => {
  expect(csvLine([value])).toBe(`${cell}\r\n`);
});

test('numbers, and strings with such a character elsewhere, are unchanged', () => {
  expect(csvLine(['a=1', 'ada@example.com', 'red; blue|grey', -1])).toBe(
    'a=1,ada@example.com,red; blue|grey,-1\r\n',
  );
});
