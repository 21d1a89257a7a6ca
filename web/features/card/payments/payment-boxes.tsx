import { useEffect, useState } from 'react'
import { formatDateTime } from '../../../../shared/dates.ts'
import { CLOSE_PAYMENT_AFTER_MINUTES } from '../../../../shared/limits.ts'
import type { OwnPayment } from '../../../../shared/payments.ts'
import { paymentTexts } from '../../../texts/payments.ts'
import { Button } from '../../../ui/button.tsx'
import { moneyText } from '../../../ui/money.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { HelpLink } from '../../shop/shop/help-link.tsx'
import { PaymentLines } from './payment-lines.tsx'
import {
  askAboutWaiting,
  dismissEnded,
  type EndedPayment,
  hidePayment,
  isOutOfReach,
  refreshWaitingPayments,
  useEndedPayments,
  useWaitingPayments,
} from './waiting-payments.ts'

const WAIT_MS = CLOSE_PAYMENT_AFTER_MINUTES * 60_000
const POLL_MS = 15_000

type Props = {
  /** Which ones; all of them by default. */
  about?: (payment: OwnPayment) => boolean
  /** Leaves out those that were called off, for a place above the buttons that pay: `CalledOff` shows them below. */
  underWay?: boolean
  className?: string
}

/** Card payments that wait for approval, and what became of those that did. */
export function PaymentBoxes({ about = () => true, underWay = false, className }: Props) {
  const waiting = useWaitingPayments().filter((payment) => about(payment) && !(underWay && isCalledOff(payment)))
  const ended = useEndedPayments().filter(({ payment }) => about(payment))
  // A payment that another device begins is not announced here.
  useEffect(() => {
    void refreshWaitingPayments()
    const poll = setInterval(() => {
      if (document.visibilityState === 'visible') void refreshWaitingPayments()
    }, POLL_MS)
    return () => clearInterval(poll)
  }, [])
  if (waiting.length === 0 && ended.length === 0) return null
  return (
    <section aria-label={paymentTexts.cardPayments} className={className}>
      <div className="flex flex-col gap-3">
        {ended.map((one) => (
          <EndedBox key={one.payment.reference} ended={one} />
        ))}
        {waiting.map((payment) => (
          <WaitingBox key={payment.reference} payment={payment} />
        ))}
      </div>
    </section>
  )
}

/** Payments that were opened and not approved, which keep nobody from paying. */
export function CalledOff({ about }: Required<Pick<Props, 'about'>>) {
  const waiting = useWaitingPayments().filter((payment) => about(payment) && isCalledOff(payment))
  return waiting.map((payment) => <WaitingBox key={payment.reference} payment={payment} />)
}

function isCalledOff({ progress }: OwnPayment): boolean {
  return progress === 'unfinished' || progress === 'declined'
}

function WaitingBox({ payment }: { payment: OwnPayment }) {
  const { reference, progress } = payment
  const outOfReach = isOutOfReach.use()
  const [checking, setChecking] = useState(false)
  const sum = moneyText(payment.total)
  const checkNow = async () => {
    setChecking(true)
    await Promise.all([askAboutWaiting([payment]), refreshWaitingPayments()])
    setChecking(false)
  }
  if (isCalledOff(payment)) {
    return (
      <NoticeBox
        title={progress === 'declined' ? paymentTexts.declined(sum) : paymentTexts.notFinished(sum)}
        action={<Dismiss onClick={() => hidePayment(reference)} />}
      >
        <PaymentLines payment={payment} />
        <p className="mt-1 text-small">
          {progress === 'declined' ? paymentTexts.nothingCharged : paymentTexts.openedNotPaid}
          {paymentTexts.ifStillApproved}
        </p>
      </NoticeBox>
    )
  }
  return (
    <NoticeBox
      tone="pending"
      title={paymentTexts.waitingFor(sum)}
      action={
        <Button
          variant="secondary"
          size="compact"
          className="max-sm:ml-8"
          busy={checking}
          busyLabel={paymentTexts.checking}
          onClick={() => void checkNow()}
        >
          {paymentTexts.checkNow}
        </Button>
      }
    >
      <PaymentLines payment={payment} />
      <p className="mt-1 text-small">
        {outOfReach ? paymentTexts.outOfReach : paymentTexts.approve(waitsWith(payment), closingTime(payment))}
      </p>
      <Reference>{reference}</Reference>
      <Help reference={reference} />
    </NoticeBox>
  )
}

function EndedBox({ ended: { payment, status, message } }: { ended: EndedPayment }) {
  const sum = moneyText(payment.total)
  const dismiss = <Dismiss onClick={() => dismissEnded(payment.reference)} />
  if (status === 'paid') {
    return (
      <NoticeBox tone="done" title={paymentTexts.received(sum)} action={dismiss}>
        <PaymentLines payment={payment} />
        <p className="mt-1 text-small">
          {payment.purpose === 'agent-upgrade'
            ? paymentTexts.agentNow
            : payment.purpose === 'top-up' && payment.items.length === 0
              ? (message ?? paymentTexts.isInWallet(moneyText(payment.price)))
              : payment.items.length === 1
                ? paymentTexts.seeOrder
                : paymentTexts.seeOrders}
        </p>
        <Reference>{payment.reference}</Reference>
      </NoticeBox>
    )
  }
  if (status === 'held') {
    return (
      <NoticeBox tone="pending" title={paymentTexts.received(sum)} action={dismiss}>
        <PaymentLines payment={payment} />
        <p className="mt-1 text-small">{message}</p>
        <Reference>{payment.reference}</Reference>
        <Help reference={payment.reference} />
      </NoticeBox>
    )
  }
  return (
    <NoticeBox title={paymentTexts.closed(sum)} action={dismiss}>
      <PaymentLines payment={payment} />
      <p className="mt-1 text-small">
        {status === 'expired' ? paymentTexts.lastCheck : ''}
        {message}
      </p>
      <Reference>{payment.reference}</Reference>
      <Help reference={payment.reference} />
    </NoticeBox>
  )
}

function waitsWith({ purpose, items }: OwnPayment): string {
  if (items.length > 0) return paymentTexts.orderGoes
  return purpose === 'top-up' ? paymentTexts.moneyGoes : paymentTexts.upgradeGoes
}

/** In one piece where there is room for it. */
function Reference({ children }: { children: string }) {
  return (
    <p className="text-small">
      {paymentTexts.reference} <span className="inline-block max-w-full break-all">{children}</span>
    </p>
  )
}

function Help({ reference }: { reference: string }) {
  return <HelpLink about="payment" reference={reference} look="link" className="-mb-2 text-current!" />
}

function Dismiss({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="quiet" size="compact" className="max-sm:ml-4" onClick={onClick}>
      {paymentTexts.dismiss}
    </Button>
  )
}

/** Hours and minutes; Ghana is on UTC all year. */
function closingTime({ createdAt }: OwnPayment): string {
  return formatDateTime(new Date(Date.parse(createdAt) + WAIT_MS)).slice(11, 16)
}
