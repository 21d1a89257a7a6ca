import type { Network } from '../../shared/networks.ts'
import type { Random } from './random.ts'

/** Someone who buys in the demo. Names and numbers are made up. */
export type Person = {
  username: string
  email: string
  phone: string
  isAgent: boolean
  /** How often they buy, against the others. */
  weight: number
  networks: readonly (readonly [Network, number])[]
  receivers: Partial<Record<Network, string[]>>
  paysBy: 'mobile-money' | 'card'
  /** Days before today: registered, and for some the last purchase. */
  joinedDaysAgo: number
  stoppedDaysAgo: number | null
}

const FIRST_NAMES = [
  ...['Ama', 'Kofi', 'Akosua', 'Yaw', 'Efua', 'Kwame', 'Abena', 'Kojo', 'Adwoa', 'Kwaku', 'Afia', 'Fiifi', 'Esi', 'Nii', 'Naa', 'Selorm'],
  ...[
    'Dzifa',
    'Mawuli',
    'Sena',
    'Hawa',
    'Ibrahim',
    'Mariam',
    'Alhassan',
    'Rahina',
    'Prince',
    'Comfort',
    'Linda',
    'Daniel',
    'Gifty',
    'Eric',
  ],
]
const LAST_NAMES = [
  ...['Mensah', 'Boateng', 'Owusu', 'Amoah', 'Asante', 'Darko', 'Appiah', 'Agbeko', 'Tetteh', 'Lamptey', 'Quaye', 'Ofori', 'Danso'],
  ...['Antwi', 'Sarpong', 'Fosu', 'Issah', 'Abdulai', 'Gyasi', 'Badu', 'Addo', 'Nartey', 'Kumi', 'Frimpong', 'Opoku', 'Zakaria'],
]

const PREFIXES: Partial<Record<Network, readonly string[]>> = {
  MTN: ['024', '054', '055', '059', '053'],
  AirtelTigo: ['026', '027', '056', '057'],
  Telecel: ['020', '050'],
}

const NETWORKS: readonly (readonly [Network, number])[] = [
  ['MTN', 62],
  ['AirtelTigo', 16],
  ['Telecel', 13],
  ['Airtime', 4],
  ['MTN PULSE', 2],
  ['WAEC Checkers', 2],
  ['AFA', 1],
]

/** A few agents who bring most of the orders, and many customers who come once or twice a week. */
export function planPeople(random: Random, { agents, customers, days }: { agents: number; customers: number; days: number }): Person[] {
  const taken = new Set<string>()
  return Array.from({ length: agents + customers }, (_, index) => {
    const isAgent = index < agents
    const username = makeName(random, taken, isAgent)
    const joinedDaysAgo = isAgent ? random.between(Math.round(days / 2), days) : random.between(0, days)
    const hasStopped = isAgent ? index % 8 === 5 : random.chance(0.12)
    return {
      username,
      email: `${username.replaceAll(/[^a-z]+/g, '.')}.${index}@example.com`,
      phone: makeNumber(random, 'MTN'),
      isAgent,
      weight: isAgent ? random.between(20, 90) : random.between(1, 6),
      networks: isAgent ? NETWORKS : onlyFew(random),
      receivers: Object.fromEntries(
        (['MTN', 'AirtelTigo', 'Telecel'] as const).map((network) => [network, makeReceivers(random, network, isAgent ? 40 : 3)]),
      ),
      paysBy: random.chance(isAgent ? 0.1 : 0.3) ? 'card' : 'mobile-money',
      joinedDaysAgo,
      stoppedDaysAgo: hasStopped ? random.between(9, 25) : null,
    }
  })
}

function makeName(random: Random, taken: Set<string>, isAgent: boolean): string {
  for (;;) {
    const first = FIRST_NAMES[random.between(0, FIRST_NAMES.length - 1)] as string
    const last = LAST_NAMES[random.between(0, LAST_NAMES.length - 1)] as string
    const name = (isAgent && random.chance(0.3) ? `${first} ${last} data` : `${first} ${last}`).toLowerCase()
    if (taken.has(name)) continue
    taken.add(name)
    return name
  }
}

function makeReceivers(random: Random, network: Network, count: number): string[] {
  return Array.from({ length: random.between(1, count) }, () => makeNumber(random, network))
}

function makeNumber(random: Random, network: Network): string {
  const prefixes = PREFIXES[network] as readonly string[]
  return `${prefixes[random.between(0, prefixes.length - 1)]}${String(random.between(0, 9_999_999)).padStart(7, '0')}`
}

/** A customer has one network, and now and then buys something else. */
function onlyFew(random: Random): Person['networks'] {
  const own = random.pick(NETWORKS.slice(0, 3))
  return [[own, 88], ...NETWORKS.slice(3).map(([network, weight]) => [network, weight] as const)]
}
