import { expect, test } from '@jest/globals';
import { csvLine } from '../../../domain/core/csv.ts';

test.each([
  [['a', 1, null, 'b'], 'a,1,,b\r\n'],
  [[''], '\r\n'],
  [['a,b', 'c'], '"a,b",c\r\n'],
  [['say "hi"'], '"say ""hi"""\r\n'],
  [['two\nlines', 'two\r\nlines'], '"two\nlines","two\r\nlines"\r\n'],
  [['carriage\rreturn'], '"carriage\rreturn"\r\n'],
] as const)('%j is one line of RFC 4180', (values, line) => {
  expect(csvLine(values)).toBe(line);
});

test.each(['=1+1', '+49', '-1', '@SUM(A1)', '\tx'])('%j is text, not a formula', (value) => {
  expect(csvLine([value])).toBe(`'${value}\r\n`);
});

test('a carriage return at the beginning is quoted as well', () => {
  expect(csvLine(['\r=1'])).toBe('"\'\r\'=1"\r\n');
});

test.each([
  ['a;=1+1;b@c.de', "a;'=1+1;b@c.de"],
  ['a;;-1|@SUM(A1)', "a;;'-1|'@SUM(A1)"],
  ['a\t=1+1', "a\t'=1+1"],
  ['\t=1+1', "'\t'=1+1"],
  ['a;"=1+1;b@c.de', '"a;\'""=1+1;b@c.de"'],
  ['two\n+lines', '"two\n\'+lines"'],
])('%j is text, not a formula, in a spreadsheet that separates by other characters', (value, cell) => {
  expect(csvLine([value])).toBe(`${cell}\r\n`);
});

test('a text that merely contains such a character, or a number, stays unchanged', () => {
  expect(csvLine(['a=1', 'ada@example.com', 'red; blue|grey', -1])).toBe(
    'a=1,ada@example.com,red; blue|grey,-1\r\n',
  );
});
