import { useState } from 'react'
import { messageOf } from '../../../lib/http.ts'
import { guestShopTexts as texts } from '../../../texts/guest-shop.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { moneyText } from '../../../ui/money.tsx'
import { showRefundCodes } from './api.ts'

/** Shows the guest's code for what could not go back the way it came. Each press makes a new one, so it is not shown by itself. */
export function RefundCode({ reference }: { reference: string }) {
  const [codes, setCodes] = useState<{ amount: number; code: string }[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const show = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const shown = await showRefundCodes(reference)
      setCodes(shown)
      if (shown.length === 0) setProblem(texts.noCode)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  if (!codes || codes.length === 0)
    return (
      <>
        <Button busy={busy} onClick={() => void show()} className="mt-2">
          {texts.showCode}
        </Button>
        {problem && <p role="alert">{problem}</p>}
      </>
    )
  return (
    <div className="mt-2">
      {codes.map(({ amount, code }) => (
        <p key={code} className="text-large font-bold">
          {texts.codeIs(moneyText(amount))} <span className="tabular whitespace-nowrap">{code}</span>
        </p>
      ))}
      <p>{texts.codeText}</p>
      {/* Asked of the server, since at an agent's own host name My Wallet is elsewhere. */}
      <a href="/user/finance" className={classNames(buttonClass('primary'), 'mt-2')}>
        {texts.toWallet}
      </a>
    </div>
  )
}
