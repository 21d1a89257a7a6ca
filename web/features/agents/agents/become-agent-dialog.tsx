import { toCedis } from '../../../../shared/money.ts'
import { QueryProvider } from '../../../lib/query-provider.tsx'
import { session } from '../../../lib/session.ts'
import { agentTexts } from '../../../texts/agents.ts'
import { messageTexts } from '../../../texts/messages.ts'
import { paymentTexts } from '../../../texts/payments.ts'
import { Detail, Details } from '../../../ui/details.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Money, moneyText } from '../../../ui/money.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { toast } from '../../../ui/toast.ts'
import { cardPhase, payByCard } from '../../card/payments/pay-by-card.ts'
import { PaymentBoxes } from '../../card/payments/payment-boxes.tsx'
import { refreshCatalogue, useProducts } from '../../catalogue/products/api.ts'
import { agentFeePesewas, useShop } from '../../shop/shop/api.ts'

export default function BecomeAgentDialog({ onClose }: { onClose: () => void }) {
  return (
    <QueryProvider>
      <UpgradeOffer onClose={onClose} />
    </QueryProvider>
  )
}

/** What an agent pays less, and the fee, before the card payment opens. */
function UpgradeOffer({ onClose }: { onClose: () => void }) {
  const user = session.use()
  const { data: products = [] } = useProducts()
  const phase = cardPhase.use()
  const feePesewas = agentFeePesewas(useShop())
  const fee = toCedis(feePesewas)
  const examples = products
    .flatMap((product) => product.packages.map((line) => ({ ...line, network: product.network })))
    .filter((line) => line.priceAgent < line.priceCustomer)
    .slice(0, 3)

  const upgrade = async () => {
    // A dialog of ours would cover the provider's pop-up.
    onClose()
    const outcome = await payByCard({ purpose: 'agent-upgrade' }, feePesewas)
    if (outcome.status === 'paid') refreshCatalogue()
    if (outcome.status === 'refused') toast.danger(outcome.error.message)
  }

  // Another tab may have paid meanwhile.
  if (user && user.userLevel !== 'Customer') {
    return (
      <Dialog title={agentTexts.becomeAgent} onClose={onClose} done={messageTexts.goBack}>
        <NoticeBox tone="done">{paymentTexts.agentNow}</NoticeBox>
      </Dialog>
    )
  }
  return (
    <Dialog
      title={agentTexts.becomeAgent}
      onClose={onClose}
      yes={{ busy: phase !== 'idle', onClick: () => void upgrade(), children: paymentTexts.pay(moneyText(fee)) }}
    >
      <p className="text-large">{agentTexts.intro}</p>
      {examples.length > 0 && (
        <table className="mt-5 w-full text-body">
          <caption className="sr-only">{agentTexts.prices}</caption>
          <thead>
            <tr className="border-b border-line text-left text-small text-muted">
              <th scope="col" className="py-2 font-semibold">
                {agentTexts.offer}
              </th>
              <th scope="col" className="py-2 text-right font-semibold">
                {agentTexts.customer}
              </th>
              <th scope="col" className="py-2 text-right font-semibold">
                {agentTexts.agent}
              </th>
            </tr>
          </thead>
          <tbody>
            {examples.map((line) => (
              <tr key={line._id} className="border-b border-line">
                <td className="py-2">
                  {line.network} {line.offer}
                </td>
                <td className="py-2 text-right text-muted">
                  <Money cedis={line.priceCustomer} />
                </td>
                <td className="py-2 text-right text-done">
                  <Money cedis={line.priceAgent} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <PaymentBoxes about={(payment) => payment.purpose === 'agent-upgrade'} className="mt-5" />
      <Details className="mt-5">
        <Detail name={agentTexts.account}>{user?.username ?? ''}</Detail>
        <Detail name={agentTexts.fee} strong>
          <Money cedis={fee} />
        </Detail>
      </Details>
    </Dialog>
  )
}
