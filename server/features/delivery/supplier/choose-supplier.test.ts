import { expect, test } from 'vitest'
import { type Candidate, type Choosing, chooseSupplier } from './choose-supplier.ts'

const good: Omit<Candidate, 'name'> = {
  carries: true,
  hasRefused: false,
  isNotSold: false,
  openMs: 0,
  balancePesewas: 10_000,
  costPesewas: 400,
}
const choose = ([hubnet, remadata, datamart]: [Partial<Candidate>, Partial<Candidate>, Partial<Candidate>], rest: Partial<Choosing> = {}) =>
  chooseSupplier({
    candidates: [
      { ...good, ...hubnet, name: 'hubnet' },
      { ...good, ...remadata, name: 'remadata' },
      { ...good, ...datamart, name: 'datamart' },
    ],
    current: 'hubnet',
    soldForPesewas: 500,
    mayCostMore: false,
    ...rest,
  })
const send = (supplier: string) => ({ to: 'send', supplier })
const wait = (supplier: string) => ({ to: 'wait', supplier })

test.each<[string, Parameters<typeof choose>, object]>([
  ['all is well: the first', [[{}, {}, {}]], send('hubnet')],
  ['it waits at the second, which takes orders: there', [[{}, {}, {}], { current: 'remadata' }], send('remadata')],
  ['the first rests: the second', [[{ openMs: 1 }, {}, {}]], send('remadata')],
  ['the first turned it away just now', [[{}, {}, {}], { notNow: 'hubnet' }], send('remadata')],
  ['the first has less than it costs', [[{ balancePesewas: 399 }, {}, {}]], send('remadata')],
  ['the first has nothing, and no cost is set', [[{ balancePesewas: 0, costPesewas: null }, {}, {}]], send('remadata')],
  ['nobody knows what the first has left', [[{ balancePesewas: null }, {}, {}]], send('hubnet')],
  ['the first does not sell the bundle', [[{ isNotSold: true }, {}, {}]], send('remadata')],
  ['the first and the second refused', [[{ hasRefused: true }, { hasRefused: true }, {}]], send('datamart')],
  ['the first refused, the second is not set up', [[{ hasRefused: true }, { carries: false }, {}]], send('datamart')],
  ['the first refused, the second costs more than it was sold for', [[{ hasRefused: true }, { costPesewas: 501 }, {}]], send('datamart')],
  ['the second costs exactly that', [[{ hasRefused: true }, { costPesewas: 500 }, {}]], send('remadata')],
  ['the second’s cost is not set', [[{ hasRefused: true }, { costPesewas: null }, {}]], send('datamart')],
  ['it may cost more', [[{ hasRefused: true }, { costPesewas: 501 }, {}], { mayCostMore: true }], send('remadata')],
  ['the first costs more than it was sold for: the second', [[{ costPesewas: 501 }, {}, {}]], send('remadata')],
  ['the first costs more, and it may', [[{ costPesewas: 900 }, {}, {}], { mayCostMore: true }], send('hubnet')],
  ['the first’s cost is not set', [[{ costPesewas: null }, {}, {}]], send('hubnet')],
  ['the first of airtime has no cost set: the second', [[{ costPesewas: null }, {}, {}], { guardsFirst: true }], send('remadata')],
  ['the first of airtime costs more: the second', [[{ costPesewas: 501 }, {}, {}], { guardsFirst: true }], send('remadata')],
  [
    'the first of airtime has no cost set, and it may cost more',
    [[{ costPesewas: null }, {}, {}], { guardsFirst: true, mayCostMore: true }],
    send('hubnet'),
  ],
  ['all rest: it waits where it is', [[{ openMs: 1 }, { openMs: 1 }, { openMs: 1 }], { current: 'remadata' }], wait('remadata')],
  ['the first refused, the others rest: at the second', [[{ hasRefused: true }, { openMs: 1 }, { openMs: 9 }]], wait('remadata')],
  ['only the first is left, and has no money', [[{ balancePesewas: 0 }, { hasRefused: true }, { costPesewas: 600 }]], wait('hubnet')],
  ['all refused', [[{ hasRefused: true }, { hasRefused: true }, { hasRefused: true }]], { to: 'person', why: '' }],
  [
    'what is left costs too much or nobody knows',
    [[{ hasRefused: true }, { costPesewas: 501 }, { costPesewas: null }]],
    { to: 'person', why: 'remadata: it costs more there than it was sold for, datamart: its cost is not set' },
  ],
])('%s', (_name, given, expected) => {
  expect(choose(...given)).toEqual(expected)
})
