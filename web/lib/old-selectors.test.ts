import { expect, test } from 'vitest'
import { olderRules } from './old-selectors.ts'

test.each([
  ['.a{color:red}', []],
  ['.ticket:has(:checked){b:c}', ['.ticket[data-has-0]{b:c}']],
  ['.x{a:b}@media print{html:has(.receipt-page){c:d}.y{e:f}}', ['@media print{html[data-has-1]{c:d}}']],
  [
    '.ticket:has(:checked) .z{b:c}.ticket:has(:focus-visible),.q:focus-visible{e:f}',
    ['.ticket[data-has-0] .z{b:c}', '.ticket[data-has-2],.q:focus{e:f}'],
  ],
  ['.has-\\[\\>\\.w\\]\\:w:has(>.w){g:h}', ['.has-\\[\\>\\.w\\]\\:w[data-has-3]{g:h}']],
  ['#root:has(main .m) header>.n{a:b}@supports (a:b){.k:has(a){c:d}}', ['#root[data-has-4] header>.n{a:b}']],
  [':focus:not(:focus-visible){outline:none}', [':focus:not(:focus){outline:none}']],
])('rules of %j in older words', (css, rules) => {
  expect(olderRules(css)).toEqual(rules)
})
