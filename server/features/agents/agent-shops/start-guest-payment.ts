import type { GuestRequest } from '../../../../shared/agent-shops.ts'
import { cardSurcharge } from '../../../../shared/money.ts'
import type { PaymentReply } from '../../../../shared/payments.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import { addressKey } from '../../../platform/address-key.ts'
import type { Ctx } from '../../../platform/context.ts'
import { AppError, NotFound, PurchasesPaused } from '../../../platform/errors.ts'
import { makeReference } from '../../../platform/reference.ts'
import { chooseFirstCheckTime } from '../../card/payments/choose-check-time.ts'
import { openAtProvider } from '../../card/payments/open-at-provider.ts'
import { insertPayment } from '../../card/payments/payments.sql.ts'
import { priceShopLines } from '../../orders/purchases/price-lines.ts'
import { selectGuestsOnTheWay, toPurchaseLines } from '../../orders/purchases/purchases.sql.ts'
import { refuseMissingForms } from '../../orders/purchases/refuse-afa-form.ts'
import { refuseOnTheWay } from '../../orders/purchases/refuse-on-the-way.ts'
import { selectShopBySlug } from './agent-shops.sql.ts'

/**
 * Stores a guest's payment at the shop's prices, then initializes it at the card provider. The provider wants an e-mail address, and a
 * guest has none: `email` is the house's own. `asks`: what the payment `before` has on its way to the same number is refused; a number alone would tell
 * strangers what it has bought.
 * @throws NotFound, PurchasesPaused, 409 when the shop is closed or a price is not as the guest saw it, or ON_THE_WAY, 502 when the provider fails.
 */
export async function startGuestPayment(
  ctx: Ctx,
  gateway: CardGateway,
  {
    slug,
    email,
    phone,
    items,
    before,
    asks,
    browser,
  }: GuestRequest & { slug: string; email: string; asks: boolean; browser: Buffer | null },
): Promise<PaymentReply> {
  const shop = await selectShopBySlug(ctx.db, slug)
  if (!shop) throw new NotFound('shop')
  if (shop.closedBy !== null) throw new AppError('NOT_AVAILABLE', 'This shop is closed at the moment. Nothing was charged.')
  const lines = toPurchaseLines(items)
  const pricePesewas = await priceShopLines(ctx.db, shop.id, lines)
  const surchargePesewas = cardSurcharge(pricePesewas)
  const found = asks && before !== undefined && (await selectGuestsOnTheWay(ctx.db, { shopId: shop.id, payment: before, lines }))
  if (found) throw refuseOnTheWay(found, (index) => `items.${index}.phoneNumber`)
  await refuseMissingForms(ctx.db, { userId: null, shopId: shop.id, lines })
  const reference = makeReference()
  const noted = await insertPayment(ctx.db, {
    reference,
    userId: null,
    guest: { shopId: shop.id, phone, address: ctx.ip === null ? null : addressKey(ctx.ip), browser },
    purpose: 'order',
    lines,
    pricePesewas,
    surchargePesewas,
    now: ctx.now,
    checkAt: chooseFirstCheckTime(ctx.now),
  })
  if (!noted) throw new PurchasesPaused()
  const payer = { email, username: `guest ${phone}` }
  return openAtProvider(ctx, gateway, { reference, amountPesewas: pricePesewas + surchargePesewas, purpose: 'order', payer })
}
