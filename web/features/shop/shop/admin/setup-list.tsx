import { useQuery } from '@tanstack/react-query'
import { Check, Circle } from 'lucide-react'
import type { Setup } from '../../../../../shared/shop-settings.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { queryClient } from '../../../../lib/query-client.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { toast } from '../../../../ui/toast.ts'
import { setupQuery } from './api.ts'

type Step = Setup['steps'][number]['step']

/** Where a step is done, and what leads there; null for what is on this page, or is the technician's. */
const STEPS: Record<Step, { name: string; how: string; act: { href: string; label: string } | null }> = {
  shop: { name: 'Shop name and hours', how: 'Fill in “Your shop” on this page.', act: null },
  'payment-numbers': { name: 'Payment numbers', how: 'Fill in “Where customers pay” on this page.', act: null },
  prices: { name: 'Prices', how: 'The sample prices are not yours yet.', act: { href: '/admin/products', label: 'Prices' } },
  supplier: { name: 'A supplier, or by hand', how: 'Choose below who delivers each network, and save.', act: null },
  sms: { name: 'SMS service', how: 'Your technician adds its key. The shop works without it.', act: null },
  'test-order': {
    name: 'A test order',
    how: 'Buy a small bundle for your own number and process it.',
    act: { href: '/store', label: 'Store' },
  },
  code: {
    name: 'Code at sign-in',
    how: 'A second lock on your money, with recovery codes to print.',
    act: { href: '/admin/code', label: 'Set up' },
  },
}

/** What leads to the first sale; each step is ticked by what is there, and the list can be put away. */
export function SetupList() {
  const { data } = useQuery(setupQuery)
  if (!data) return null
  const hide = async (hidden: boolean) => {
    try {
      queryClient.setQueryData(setupQuery.queryKey, await call('PUT /admin/setup', { body: { hidden } }))
    } catch (error) {
      toast.danger(messageOf(error))
    }
  }
  const done = data.steps.filter((step) => step.done).length
  if (data.hidden)
    return (
      <Button variant="quiet" className="self-start" onClick={() => void hide(false)}>
        Show the first steps
      </Button>
    )
  return (
    <Card
      title="Set-up"
      state={
        <span className="flex items-center gap-2 text-small text-muted">
          {done} of {data.steps.length}
          <Button variant="quiet" size="compact" onClick={() => void hide(true)}>
            Hide
          </Button>
        </span>
      }
    >
      <ul className="divide-y divide-line">
        {data.steps.map(({ step, done: isDone }) => {
          const { name, how, act } = STEPS[step]
          return (
            <li key={step} className="flex min-h-11 items-center gap-3 px-4 py-2">
              {isDone ? (
                <Check className="size-5 shrink-0 text-done" aria-hidden="true" />
              ) : (
                <Circle className="size-5 shrink-0 text-pending" aria-hidden="true" />
              )}
              <span className="min-w-0 flex-1">
                <span className={classNames('block text-body', isDone ? 'text-muted' : 'font-semibold')}>
                  {name}
                  <span className="sr-only">{isDone ? ', done' : ', to do'}</span>
                </span>
                {!isDone && <span className="block text-small text-muted">{how}</span>}
              </span>
              {!isDone && act && (
                <ButtonLink href={act.href} variant="secondary" size="compact">
                  {act.label}
                </ButtonLink>
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
