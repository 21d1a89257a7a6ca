import {
  Banknote,
  Check,
  CircleAlert,
  Clock,
  DatabaseBackup,
  Flag,
  Gavel,
  Hand,
  HardDrive,
  Hourglass,
  Layers,
  Pause,
  Smartphone,
  Sunset,
  Tag,
  Undo2,
  Users,
  Wallet,
  X,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { InboxGroup } from '../../../../../shared/inbox.ts'
import type { Order } from '../../../../../shared/orders.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { supplierName } from '../../../../../shared/supplier-names.ts'
import { JUST_NOW, shortDay, shortWait } from '../../../../lib/admin/clock-words.ts'
import { reasonWords } from '../../../../lib/admin/supplier-words.ts'
import { counted } from '../../../../lib/admin/words.ts'
import type { RowTone } from '../../../../ui/admin/row.tsx'
import { moneyText } from '../../../../ui/money.tsx'
import { queueWords } from '../../failed-jobs/admin/job-words.ts'

/** What the button of a row does; `open` leads to `href`. */
export type Act = 'process' | 'batch' | 'complete' | 'approve' | 'retry' | 'open'

export type InboxRow = {
  key: string
  section: 'Closing' | 'Orders' | 'Money' | 'People and messages'
  group: InboxGroup
  /** Set where the row is about one order. */
  order: Order | null
  icon: ReactNode
  tone: RowTone
  title: string
  subtitle: string
  act: Act
  label: string
  href: string
  /** On the stub of the button, and in the bar at the foot. */
  amount: number | null
}

/** The rows of the inbox: a group each, or of what differs from case to case, such as a refusal, an order each. */
export function inboxRows(groups: readonly InboxGroup[], now: Date): InboxRow[] {
  return groups.flatMap((group) => rowsOfGroup(group, now))
}

const ONE_BY_ONE: readonly InboxGroup['kind'][] = ['not-sent', 'unclear', 'refused', 'too-long', 'on-hold']
const MOST_ROWS = 8

function rowsOfGroup(group: InboxGroup, now: Date): InboxRow[] {
  if (!ONE_BY_ONE.includes(group.kind)) return [groupRow(group, now)]
  const rows = group.orders.slice(0, MOST_ROWS).map((order) => orderRow(group, order, now))
  const left = group.count - rows.length
  if (left <= 0) return rows
  const first = rows[0] as InboxRow
  const more = {
    title: `${left} more like these`,
    subtitle: '',
    label: 'Open',
    order: null,
    amount: null,
    href: '/admin/orders?status=pending',
  }
  return [...rows, { ...first, ...more, key: `${group.key}:more` }]
}

function orderRow(group: InboxGroup, order: Order, now: Date): InboxRow {
  const at = order.supplier ? supplierName(order.supplier.name) : 'the supplier'
  const wait = shortWait(order.createdAt, now)
  const facts = `${order.offer} · ${moneyText(order.totalAmount)}`
  const row = {
    key: order._id,
    section: 'Orders' as const,
    group,
    order,
    act: 'open' as const,
    label: 'Open',
    href: `/admin/orders/${order.number}`,
    amount: order.totalAmount,
  }
  switch (group.kind) {
    case 'not-sent':
      return {
        ...row,
        icon: <Hand />,
        tone: 'danger',
        title: `${order.number}: not sent`,
        subtitle: `${facts} · ${reasonWords(order.supplier?.detail ?? '')}`,
      }
    case 'unclear':
      return {
        ...row,
        icon: <CircleAlert />,
        tone: 'danger',
        title: `${order.number}: unclear`,
        subtitle: `${facts} · ${wait} · ${at} can’t say what became of it`,
      }
    case 'too-long':
      return { ...row, icon: <Clock />, tone: 'pending', title: `${order.number}: ${wait} at ${at}`, subtitle: `${facts} · ${order.agent}` }
    case 'on-hold':
      return { ...row, icon: <Pause />, tone: 'danger', title: `${order.number}: on hold`, subtitle: `${facts} · ${order.onHold ?? wait}` }
    default:
      return {
        ...row,
        icon: <X />,
        tone: 'danger',
        title: `${order.number}: ${order.supplier?.status === 'failed' ? 'not delivered' : 'refused'}`,
        subtitle: [facts, order.supplier?.detail || `${at}, ${wait}`].join(' · '),
      }
  }
}

function groupRow(group: InboxGroup, now: Date): InboxRow {
  const { kind, key, count, more, amount, network, oldestAt, supplier, detail, who, number, subject } = group
  const many = more ? `${count}+` : String(count)
  const [only] = count === 1 ? group.orders : []
  const wait = oldestAt === null ? '' : shortWait(oldestAt, now)
  const oldest = wait === '' || wait === JUST_NOW || count === 1 ? wait : `oldest: ${wait}`
  const worth = amount === null ? '' : moneyText(amount)
  const joined = (...words: string[]) => words.filter(Boolean).join(' · ')
  const row = { key, group, order: only ?? null, amount }
  const orders = { ...row, section: 'Orders' as const }
  const money = { ...row, section: 'Money' as const, href: '/admin/finance/match' }
  const people = { ...row, section: 'People and messages' as const }
  switch (kind) {
    case 'by-hand': {
      const list = `/admin/orders?status=pending&network=${encodeURIComponent(network ?? '')}`
      const by = { ...orders, icon: <Hand />, tone: 'pending' as const }
      if (only)
        return {
          ...by,
          title: `1 ${network} order by hand`,
          subtitle: joined(only.offer, spacedPhone(only.receiver), worth, oldest),
          act: 'process',
          label: 'Process',
          href: `/admin/orders/${only.number}`,
        }
      return {
        ...by,
        title: `${many} ${network} orders by hand`,
        subtitle: joined(worth, oldest),
        act: 'batch',
        label: 'Make batch',
        href: list,
      }
    }
    case 'approval':
      return {
        ...money,
        icon: <Users />,
        tone: 'pending',
        title: amount === null ? `Prices: ${detail}` : `${amount > 0 ? 'Credit' : 'Debit'} ${moneyText(Math.abs(amount))}: ${detail}`,
        subtitle: joined(amount === null ? `${who} asks an owner` : `${who} asks for a second person`, wait),
        act: 'open',
        label: 'Open',
        href: '/admin/approvals',
        amount: null,
      }
    case 'delivered':
      return {
        ...orders,
        icon: <Check />,
        tone: 'done',
        title: `${many} delivered, to confirm`,
        subtitle: joined(worth, supplier ? `says ${supplierName(supplier)}` : '', oldest),
        act: 'complete',
        label: `Complete ${group.orders.length}`,
        href: '/admin/orders?status=pending',
      }
    case 'batch':
      return {
        ...orders,
        icon: <Layers />,
        tone: 'plain',
        title: `Batch ${number}: ${counted(count, `${network} order`)}`,
        subtitle: joined(worth, `locked by ${who}`, wait),
        act: 'open',
        label: 'Open batch',
        href: `/admin/batches/${number}`,
      }
    case 'matched':
      return {
        ...money,
        icon: <Wallet />,
        tone: 'done',
        title: count === 1 ? '1 top-up matches for certain' : `${many} top-ups match for certain`,
        subtitle: joined(worth, oldest),
        act: 'approve',
        label: `Approve ${count}`,
      }
    case 'to-compare':
      return {
        ...money,
        icon: <Wallet />,
        tone: 'pending',
        title: count === 1 ? '1 payment to look at' : `${many} payments to look at`,
        subtitle: joined(detail, worth, oldest),
        act: 'open',
        label: 'Compare',
      }
    case 'top-ups':
      return {
        ...money,
        icon: <Banknote />,
        tone: 'pending',
        title: `${many} top-up ${count === 1 ? 'request' : 'requests'}`,
        subtitle: joined(worth, oldest, 'no payment read yet'),
        act: 'open',
        label: 'Open',
        href: '/admin/finance?status=pending',
      }
    case 'phone':
      return {
        ...money,
        icon: <Smartphone />,
        tone: 'danger',
        title: detail === 'silent' ? `${who} is silent` : `${who}: a message is missing or a fake`,
        subtitle: joined(detail === 'silent' ? 'Is it on, and online?' : 'Confirm the balance on the phone', wait),
        href: '/admin/finance/phones',
        act: 'open',
        label: 'Look',
      }
    case 'dispute':
      return {
        ...money,
        icon: <Gavel />,
        tone: 'danger',
        title: `Card dispute ${worth}`,
        subtitle: group.dueAt ? `Answer by ${shortDay(new Date(group.dueAt))}` : detail,
        href: '/admin/finance/held',
        act: 'open',
        label: 'Answer',
      }
    case 'held-payments':
      return {
        ...money,
        icon: <Pause />,
        tone: 'pending',
        title: `${many} held card ${count === 1 ? 'payment' : 'payments'}`,
        subtitle: joined(worth, oldest),
        act: 'open',
        label: 'Open',
        href: '/admin/finance/held',
      }
    case 'refunds':
      return {
        ...money,
        icon: <Undo2 />,
        tone: 'danger',
        title: `${many} ${count === 1 ? 'refund' : 'refunds'} to a guest`,
        subtitle: joined(worth, oldest, 'the provider does not send it'),
        href: '/admin/finance/refunds',
        act: 'open',
        label: 'Decide',
      }
    case 'withdrawals':
      return {
        ...money,
        icon: <Banknote />,
        tone: 'pending',
        title: counted(count, 'withdrawal'),
        subtitle: joined(detail, worth, oldest),
        act: 'open',
        label: 'Open',
        href: '/admin/finance/withdrawals',
      }
    case 'report':
      return {
        ...people,
        icon: <Flag />,
        tone: 'pending',
        title: `${who}: “${detail || 'not received'}”`,
        subtitle: joined(`Order ${number}`, wait && `reported ${wait}`, count > 1 ? `and ${count - 1} more` : ''),
        act: 'open',
        label: 'Answer',
        href: `/admin/reports?search=${number}`,
      }
    case 'prices-left-out':
      return {
        ...people,
        icon: <Tag />,
        tone: 'pending',
        title: `${counted(count, 'package')} without the scheduled prices`,
        subtitle: joined('Somebody changed them first', oldest),
        act: 'open',
        label: 'Open',
        href: '/admin/products',
      }
    case 'checkers-low':
      return {
        ...people,
        icon: <Tag />,
        tone: count === 0 ? 'danger' : 'pending',
        title: count === 0 ? `${detail} checkers are sold out` : `${counted(count, `${detail} checker`)} left`,
        subtitle: joined('Import more', wait && `low ${wait}`),
        act: 'open',
        label: 'Open',
        href: '/admin/checkers',
      }
    case 'restore-rehearsal':
      return {
        ...people,
        icon: <DatabaseBackup />,
        tone: 'danger',
        title: detail === 'never' ? 'No backup was ever restored' : 'No backup was restored for a month',
        subtitle: joined('Ask your technician', 'npm run rehearse', detail === 'never' ? '' : `last: ${wait}`),
        act: 'open',
        label: 'Open',
        href: '/admin/books#backups',
      }
    case 'disk-low':
      return {
        ...people,
        icon: <HardDrive />,
        tone: 'danger',
        title: detail === '0' ? 'The server’s disk is full' : `Disk nearly full: ${detail} MB left`,
        subtitle: joined(detail === '0' ? 'Nothing sells until there is room' : 'When it is full, nothing sells', 'Call your technician'),
        act: 'open',
        label: 'Open',
        href: '/admin/books',
      }
    case 'messages-dropped':
      return {
        ...people,
        icon: <HardDrive />,
        tone: 'danger',
        title: detail === 'sms' ? 'SMS of today are used up' : 'Some mails were not sent today',
        subtitle: joined(`${count} not sent`, 'There are more from midnight (UTC)', detail === 'sms' ? 'You can raise the limit' : ''),
        act: 'open',
        label: 'Open',
        href: '/admin/settings',
      }
    case 'day-close':
      return {
        ...row,
        section: 'Closing',
        icon: <Sunset />,
        tone: 'done',
        title: 'Close the day',
        subtitle: joined('Count, compare, sign off', wait && `closing time was ${wait}`),
        act: 'open',
        label: 'Day close',
        href: '/admin/day-close',
      }
    case 'paused':
      return {
        ...orders,
        icon: <Pause />,
        tone: 'danger',
        title: 'Purchases are paused',
        subtitle: joined('The books do not add up', oldest),
        act: 'open',
        label: 'Open',
        href: '/admin/books',
      }
    default:
      return {
        ...people,
        icon: <Hourglass />,
        tone: 'plain',
        title: `Stuck work: ${many} ${lowerFirst(queueWords(key.slice('stuck-work:'.length)))}`,
        subtitle: joined(detail, oldest),
        act: subject === null ? 'open' : 'retry',
        label: subject === null ? 'Open' : 'Try again',
        href: '/admin/work',
      }
  }
}

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1)
}
