import type { NotCountedMessage } from '../../../../../shared/received-payments.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { CountMark } from '../../../../ui/admin/count-mark.tsx'
import { moneyText } from '../../../../ui/money.tsx'

const NAMES: Record<NotCountedMessage['kind'], string> = {
  fake: 'Fake',
  counted: 'Counted already',
  repeated: 'Twice',
  'money-out': 'Money out',
  failed: 'Failed',
  airtime: 'Airtime',
  refund: 'Your own refund',
  interest: 'Interest',
  reversal: 'Reversal',
  other: 'Not a payment',
}

/** What was read and adds nothing to a wallet, each with its reason. */
export function NotCounted({ messages }: { messages: readonly NotCountedMessage[] }) {
  return (
    <Card title="Not counted" state={<CountMark count={messages.length} word="messages" quiet />}>
      <ul className="max-h-96 divide-y divide-line overflow-y-auto">
        {messages.map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole, and two messages may be the same.
          <li key={index} className="px-4 py-2.5">
            <p className="font-semibold">{NAMES[message.kind]}</p>
            <p className="tabular text-small break-words">
              {message.amount !== null && moneyText(message.amount)}
              {message.transactionId && ` · ${message.transactionId}`}
              {message.amount === null && !message.transactionId && `“${message.text.slice(0, 60)}”`}
            </p>
            <p className="text-small break-words text-muted">{message.says}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
