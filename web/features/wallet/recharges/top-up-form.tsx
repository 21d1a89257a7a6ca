import { useId, useRef } from 'react'
import {
  cardSurcharge,
  formatPesewas,
  MIN_RECHARGE_PESEWAS,
  NOT_AN_AMOUNT,
  toCedis,
  toPesewas,
  withCardSurcharge,
} from '../../../../shared/money.ts'
import { pesewasIn } from '../../../../shared/readers/read-amount.ts'
import { rechargeProblem } from '../../../../shared/recharge-rules.ts'
import type { Recharge } from '../../../../shared/recharges.ts'
import { messageOf } from '../../../lib/http.ts'
import { refreshSoon } from '../../../lib/query-client.ts'
import { parseFields, useForm } from '../../../lib/use-form.ts'
import { walletTexts } from '../../../texts/wallet.ts'
import { Button } from '../../../ui/button.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { Money, moneyText } from '../../../ui/money.tsx'
import { MoneyField } from '../../../ui/money-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { cardPhase, payByCard } from '../../card/payments/pay-by-card.ts'
import { useTopUpRules } from '../../card/payments/use-top-up-rules.ts'
import { useRequestRecharge } from './api.ts'
import { limitProblem } from './limit-problem.ts'

const CHIPS = ['50', '100', '200']

type Props = {
  /** What the wallet lacks for the purchase that somebody came from; 0 without one. */
  neededPesewas: number
  onRequested: (recharge: Recharge) => void
  /** It was paid at once, and is in the wallet. */
  onToppedUp: () => void
}

/** An amount, and two ways to pay it in: at once through the card provider, or by a request that the shop approves. */
export function TopUpForm({ neededPesewas, onRequested, onToppedUp }: Props) {
  const requestRecharge = useRequestRecharge()
  const { data: rules } = useTopUpRules()
  const phase = cardPhase.use()
  const atOnceId = useId()
  const requestId = useId()
  const field = useRef<HTMLDivElement>(null)
  const form = useForm({
    initial: { amount: neededPesewas > 0 ? firstAmount(neededPesewas) : '' },
    draft: { form: 'recharge', fields: ['amount'] },
    parse: ({ amount }) => parseFields({ amount: amountProblem(amount) }, () => ({ amount: toCedis(pesewasIn(amount) ?? 0) })),
    submit: async ({ amount }) => {
      const { rechargeId, recharge } = await requestRecharge.mutateAsync({ amount })
      toast.success(walletTexts.requested(rechargeId))
      onRequested(recharge)
      form.reset()
    },
    onRefused: (_, error) => toast.danger(messageOf(error)),
  })
  const typed = form.values.amount
  const problem = amountProblem(typed)
  const pesewas = pesewasIn(typed) ?? 0
  const refusal = pesewas > 0 && rules ? limitProblem(pesewas, rules, problem === null) : null
  const forRequest = typed.length > 1 ? problem : null
  const isOpenAtOnce = pesewas > 0 && rules !== undefined && refusal === null
  const isChip = CHIPS.includes(typed)

  const topUpNow = async () => {
    const outcome = await payByCard({ purpose: 'top-up', amount: toCedis(pesewas), buy: null }, withCardSurcharge(pesewas))
    if (outcome.status === 'paid') {
      form.reset()
      onToppedUp()
    }
    if (outcome.status === 'refused') toast.danger(outcome.error.message)
    refreshSoon(['top-up-rules'], ['statement'])
  }

  return (
    <form {...form.props} className="flex flex-col gap-2">
      <h2 className="text-large">{walletTexts.topUp}</h2>
      <fieldset aria-label={walletTexts.amounts} className="flex flex-wrap gap-2 [&>button]:grow [&>button]:justify-center [&>button]:px-0">
        {CHIPS.map((amount) => (
          <Chip key={amount} selected={typed === amount} onClick={() => form.setValue('amount', amount)}>
            ¢{amount}
          </Chip>
        ))}
        <Chip
          selected={typed !== '' && !isChip}
          onClick={() => {
            if (isChip) form.setValue('amount', '')
            field.current?.querySelector('input')?.focus()
          }}
        >
          {walletTexts.other}
        </Chip>
      </fieldset>
      <div ref={field} className="pt-1">
        <MoneyField
          {...form.valueField('amount')}
          label={walletTexts.amount}
          title={walletTexts.atLeast}
          // Too little for a request is no mistake where it can be topped up at once.
          hint={forRequest && isOpenAtOnce ? walletTexts.forRequest(forRequest) : walletTexts.atLeast}
          error={form.errors.amount ?? form.formError ?? (isOpenAtOnce ? null : forRequest) ?? undefined}
        />
      </div>
      <Button
        block
        size="large"
        disabled={pesewas === 0 || rules === undefined || refusal !== null}
        busy={phase !== 'idle'}
        stub={<Money cedis={toCedis(withCardSurcharge(pesewas))} />}
        aria-describedby={atOnceId}
        onClick={() => void topUpNow()}
      >
        {walletTexts.topUpNow}
      </Button>
      <p id={atOnceId} aria-live="polite" className="min-h-10 text-small text-muted">
        {refusal ??
          (pesewas > 0 ? walletTexts.youGet(moneyText(toCedis(pesewas)), moneyText(toCedis(cardSurcharge(pesewas)))) : walletTexts.atOnce)}
        {refusal === null && rules !== undefined && rules.holdHours > 0 && ` ${walletTexts.heldFor(rules.holdHours)}`}
      </p>
      <Button
        type="submit"
        block
        size="large"
        variant="secondary"
        disabled={problem !== null}
        busy={form.busy}
        busyLabel={walletTexts.sending}
        aria-describedby={requestId}
      >
        {walletTexts.request}
      </Button>
      <p id={requestId} className="text-small text-muted">
        {pesewas <= toPesewas(rules?.requestsUpTo || -1) ? walletTexts.requestSoon : walletTexts.requestNote}
      </p>
    </form>
  )
}

/** What is needed, or the least that both ways take where the owner has not changed it. */
function firstAmount(neededPesewas: number): string {
  return formatPesewas(Math.max(neededPesewas, MIN_RECHARGE_PESEWAS)).replace(/\.00$/, '')
}

/** More than any amount has, which is no typing mistake of another kind. */
const TOO_MANY_DIGITS = /^\d{8,}(?:\.\d{1,2})?$/

/** Null for an amount that may be requested. */
function amountProblem(text: string): string | null {
  const pesewas = pesewasIn(text)
  if (pesewas !== null) return rechargeProblem(toCedis(pesewas))
  return TOO_MANY_DIGITS.test(text.trim()) ? rechargeProblem(Number(text)) : NOT_AN_AMOUNT
}
