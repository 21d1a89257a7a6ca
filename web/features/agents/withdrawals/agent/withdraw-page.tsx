import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, Wallet } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { formatShortTime } from '../../../../../shared/dates.ts'
import { NOT_AN_AMOUNT, toCedis, toPesewas } from '../../../../../shared/money.ts'
import { mobilePhoneProblem, operatorOfNumber, spacedPhone } from '../../../../../shared/phones.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import { PAYOUT_NETWORKS, type PayoutNetwork, recipientNameProblem } from '../../../../../shared/withdrawal-rules.ts'
import type { Earnings } from '../../../../../shared/withdrawals.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { messageOf, RefusedError } from '../../../../lib/http.ts'
import { parseFields, useForm } from '../../../../lib/use-form.ts'
import { earningsTexts } from '../../../../texts/earnings.ts'
import { ThumbBar } from '../../../../ui/agent/thumb-bar.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { Chip, ChipRow } from '../../../../ui/chip.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Page } from '../../../../ui/page.tsx'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { PhoneField } from '../../../../ui/phone-field.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { Ticket } from '../../../../ui/ticket.tsx'
import { toast } from '../../../../ui/toast.ts'
import { CodeDialog, type FirstCode } from '../../../people/numbers/code-dialog.tsx'
import { confirmPayoutNumber, earningsQuery, sendPayoutCode, useWithdraw } from './api.ts'

/** Sends earnings to a mobile money number: how much, to whom, and what arrives. */
export default function WithdrawPage() {
  const { data, error, refetch } = useQuery(earningsQuery)
  return (
    <Page className="pb-4! lg:pb-16!">
      <PageHeader
        title={earningsTexts.withdraw}
        actions={
          data && (
            <span className="text-body text-muted">
              {earningsTexts.youHave} <Money cedis={data.withdrawable} />
            </span>
          )
        }
      />
      {error && data === undefined ? (
        <LoadError what={earningsTexts.of} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading>
          <Skeleton className="h-96" />
        </Loading>
      ) : data === null || data.withdrawable === 0 || !data.rules.enabled ? (
        <EmptyState
          icon={<Wallet />}
          title={data && !data.rules.enabled ? earningsTexts.closed : earningsTexts.nothing}
          action={<ButtonLink href="/agent/earnings">{earningsTexts.backToEarnings}</ButtonLink>}
        >
          {earningsTexts.nothingText}
        </EmptyState>
      ) : data.withdrawable < data.rules.minimum ? (
        <EmptyState
          icon={<Wallet />}
          title={earningsTexts.tooLittle(moneyText(data.rules.minimum))}
          action={<ButtonLink href="/agent/earnings">{earningsTexts.backToEarnings}</ButtonLink>}
        >
          {earningsTexts.tooLittleText(moneyText(data.withdrawable), moneyText(less(data.rules.minimum, data.withdrawable)))}
        </EmptyState>
      ) : (
        <WithdrawForm earnings={data} />
      )}
    </Page>
  )
}

function WithdrawForm({ earnings }: { earnings: Earnings }) {
  const { withdrawable, rules, numbers, confirmed, sendsCodes } = earnings
  const [, navigate] = useLocation()
  const withdraw = useWithdraw()
  const usual = numbers[0]
  const [coding, setCoding] = useState<{ phoneNumber: string; first: FirstCode; end: (goOn: boolean) => void } | null>(null)
  const isPaidBefore = (to: { phoneNumber: string; network: PayoutNetwork | null }) =>
    numbers.some((one) => one.phoneNumber === to.phoneNumber && one.network === to.network)
  const wantsCode = (to: { phoneNumber: string; network: PayoutNetwork | null }) =>
    sendsCodes && !isPaidBefore(to) && !confirmed.some(({ phoneNumber: number }) => number === to.phoneNumber)
  /** True once the number is confirmed, or the agent goes on without: then a person looks first. */
  const confirmNumber = async (number: string): Promise<boolean> => {
    const first = await askFirstCode(number)
    return first === null || new Promise((end) => setCoding({ phoneNumber: number, first, end }))
  }
  const form = useForm({
    initial: {
      amount: '',
      phoneNumber: usual?.phoneNumber ?? '',
      network: (usual?.network ?? '') as string,
      name: usual?.name ?? '',
    },
    draft: { form: 'withdrawal', fields: ['amount', 'phoneNumber', 'network', 'name'] },
    parse: ({ amount, phoneNumber, network, name }) =>
      parseFields(
        {
          amount: amountProblem(amount, earnings),
          phoneNumber: mobilePhoneProblem(phoneNumber),
          name: recipientNameProblem(name),
        },
        () => ({
          amount: toCedis(pesewasIn(amount) ?? 0),
          fee: rules.fee,
          phoneNumber,
          network: chosenNetwork(network, phoneNumber) ?? 'MTN',
          name: name.trim(),
        }),
      ),
    confirm: async ({ amount, ...to }) =>
      (await confirmAction({
        question: earningsTexts.sure(moneyText(less(amount, rules.fee))),
        details: (
          <>
            <Counterfoil {...to} amount={amount} />
            <p className="mt-2.5 text-small text-muted">
              {earningsTexts.checkGroups} {wantsCode(to) && earningsTexts.codeComes}
            </p>
          </>
        ),
        yes: earningsTexts.yes,
        stub: <Money cedis={less(amount, rules.fee)} />,
      })) &&
      (!wantsCode(to) || confirmNumber(to.phoneNumber)),
    submit: async (request) => {
      const { withdrawal } = await withdraw.mutateAsync(request)
      toast.success(withdrawal.status === 'approval' ? earningsTexts.waits : earningsTexts.sent(moneyText(withdrawal.payout)))
      form.reset()
      navigate('/agent/earnings')
    },
    onRefused: (message, error) => toast.danger(error instanceof RefusedError ? message : earningsTexts.again),
  })
  const { amount: typed, phoneNumber, name } = form.values
  const pesewas = pesewasIn(typed) ?? 0
  const problem = amountProblem(typed, earnings)
  const network = chosenNetwork(form.values.network, phoneNumber)
  const known = numbers.find((one) => one.phoneNumber === phoneNumber && one.network === network)
  const proven = confirmed.find((one) => one.phoneNumber === phoneNumber)
  const getsCode = wantsCode({ phoneNumber, network })
  const waitsUntil = !known && proven && new Date(proven.freeAt) > shopNow() ? formatShortTime(new Date(proven.freeAt), shopNow()) : null
  const goesAtOnce = (known || proven || getsCode) && waitsUntil === null && pesewas <= toPesewas(rules.atOnce)
  const left = moneyText(toCedis(Math.max(0, toPesewas(withdrawable) - (problem === null ? pesewas : 0))))
  const tooLittle = problem !== null && pesewas > 0 && pesewas <= toPesewas(withdrawable)
  const chips = ['100', '200'].filter((chip) => Number(chip) < withdrawable)

  const choose = (number: string) => {
    form.setValue('phoneNumber', number)
    const paid = numbers.find((one) => one.phoneNumber === number)
    form.setValue('network', paid?.network ?? operatorOfNumber(number) ?? '')
    if (paid) form.setValue('name', paid.name)
  }

  const button = (
    <Button
      type="submit"
      block
      size="large"
      busy={form.busy}
      disabled={problem !== null || network === null}
      stub={<Money cedis={toCedis(pesewas)} />}
    >
      {earningsTexts.withdraw}
    </Button>
  )
  return (
    <form {...form.props} className="flex flex-col gap-x-8 gap-y-6 lg:grid lg:grid-cols-[minmax(0,45rem)_23rem] lg:justify-between">
      <div className="flex min-w-0 flex-col gap-3">
        <MoneyField
          {...form.valueField('amount')}
          label={earningsTexts.howMuch}
          hint={
            rules.unapproved > 0
              ? (sendsCodes ? earningsTexts.limitsWithCodes : earningsTexts.limits)(moneyText(rules.minimum), moneyText(rules.unapproved))
              : earningsTexts.approvedFirst(moneyText(rules.minimum))
          }
          error={form.errors.amount ?? (pesewas > toPesewas(withdrawable) ? (problem ?? undefined) : undefined)}
        />
        <ChipRow label={earningsTexts.amounts}>
          {chips.map((chip) => (
            <Chip key={chip} selected={pesewas === Number(chip) * 100} onClick={() => form.setValue('amount', `${chip}.00`)}>
              ¢{chip}
            </Chip>
          ))}
          <Chip selected={pesewas === toPesewas(withdrawable)} onClick={() => form.setValue('amount', withdrawable.toFixed(2))}>
            {earningsTexts.all(moneyText(withdrawable))}
          </Chip>
        </ChipRow>
        <PhoneField
          label={earningsTexts.number}
          name="phoneNumber"
          value={phoneNumber}
          onValue={choose}
          error={form.errors.phoneNumber}
          suggestions={[...new Set([...numbers, ...confirmed].map((one) => one.phoneNumber))]}
          hint={
            network && phoneNumber.length === 10
              ? known
                ? earningsTexts.used(network, known.used)
                : waitsUntil !== null
                  ? earningsTexts.waitsFirst(network, waitsUntil)
                  : proven
                    ? earningsTexts.confirmedNumber(network)
                    : getsCode
                      ? earningsTexts.numberGetsCode(network)
                      : earningsTexts.newNumber(network)
              : undefined
          }
        />
        {phoneNumber.length === 10 && !known && (
          <ChipRow label={earningsTexts.network}>
            {PAYOUT_NETWORKS.map((one) => (
              <Chip key={one} network={one} selected={network === one} onClick={() => form.setValue('network', one)}>
                {one}
              </Chip>
            ))}
          </ChipRow>
        )}
        <Field {...form.field('name')} label={earningsTexts.name} autoComplete="name" maxLength={60} hint={earningsTexts.nameNote} />
      </div>
      <aside className="flex min-w-0 flex-col gap-2">
        <h2 className="text-large">{earningsTexts.whatHappens}</h2>
        <Counterfoil
          network={network ?? 'MTN'}
          phoneNumber={phoneNumber}
          name={name}
          amount={problem === null ? toCedis(pesewas) : 0}
          fee={rules.fee}
        />
        <p className={tooLittle ? 'text-small text-danger' : 'text-small text-muted'}>
          {tooLittle ? problem : goesAtOnce ? earningsTexts.usually(left) : earningsTexts.afterApproval(left)}
        </p>
        {form.formError && (
          <p role="alert" className="text-body text-danger">
            {form.formError}
          </p>
        )}
        <Link
          href="/agent/earnings"
          className="inline-flex min-h-11 items-center gap-1 self-start font-semibold text-brand-text lg:order-last"
        >
          <ChevronLeft className="size-4.5" aria-hidden="true" />
          {earningsTexts.backToEarnings}
        </Link>
        <div className="hidden lg:block">{button}</div>
      </aside>
      <ThumbBar className="lg:hidden">{button}</ThumbBar>
      {coding && (
        <CodeDialog
          phoneNumber={coding.phoneNumber}
          first={coding.first}
          send={sendPayoutCode}
          confirm={confirmPayoutNumber}
          without={{ button: earningsTexts.withoutCode, note: earningsTexts.withoutNote }}
          onEnd={(end) => {
            setCoding(null)
            coding.end(end !== 'closed')
          }}
        />
      )}
    </form>
  )
}

/** Null when the number is confirmed already. A password that was not given ends the withdrawal. */
async function askFirstCode(phoneNumber: string): Promise<FirstCode | null> {
  try {
    const { confirmed, waitSeconds } = await sendPayoutCode(phoneNumber)
    return confirmed ? null : { waitSeconds }
  } catch (error) {
    if (error instanceof RefusedError && (error.code === 'CONFLICT' || error.code === 'TOO_MANY_REQUESTS'))
      return { problem: messageOf(error) }
    throw error
  }
}

type Foil = { network: PayoutNetwork; phoneNumber: string; name: string; amount: number; fee: number }

/** Who gets how much, as it will be sent. */
function Counterfoil({ network, phoneNumber, name, amount, fee }: Foil) {
  return (
    <Ticket
      network={network}
      stub={
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 text-[min(1em,5vw)] gap-y-1.5">
          <Sum words={earningsTexts.leaves}>
            <Money cedis={amount} />
          </Sum>
          <Sum words={earningsTexts.fee}>
            <Money cedis={-fee} />
          </Sum>
          <dt className="border-t-2 border-dotted border-line pt-2 font-bold">{earningsTexts.youGet}</dt>
          <dd className="border-t-2 border-dotted border-line pt-2 text-right text-title">
            <Money cedis={Math.max(0, less(amount, fee))} />
          </dd>
        </dl>
      }
    >
      <p className="text-small text-muted">{earningsTexts.momo(network)}</p>
      <p className="tabular min-h-9 text-display font-bold whitespace-nowrap">{spacedPhone(phoneNumber)}</p>
      <p className="min-h-6 break-words">{name}</p>
    </Ticket>
  )
}

function Sum({ words, children }: { words: string; children: ReactNode }) {
  return (
    <>
      <dt>{words}</dt>
      <dd className="text-right">{children}</dd>
    </>
  )
}

function chosenNetwork(chosen: string, phoneNumber: string): PayoutNetwork | null {
  return (
    PAYOUT_NETWORKS.find((network) => network === chosen) ?? PAYOUT_NETWORKS.find((one) => one === operatorOfNumber(phoneNumber)) ?? null
  )
}

function less(amount: number, fee: number): number {
  return toCedis(toPesewas(amount) - toPesewas(fee))
}

function amountProblem(text: string, { withdrawable, rules }: Earnings): string | null {
  const pesewas = pesewasIn(text)
  if (pesewas === null || pesewas <= 0) return NOT_AN_AMOUNT
  if (pesewas > toPesewas(withdrawable)) return earningsTexts.most(moneyText(withdrawable))
  return pesewas < toPesewas(rules.minimum) || pesewas <= toPesewas(rules.fee) ? earningsTexts.least(moneyText(rules.minimum)) : null
}
