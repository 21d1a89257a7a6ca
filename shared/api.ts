import { accountEndpoints } from './account.ts'
import { activityEndpoints } from './admin-actions.ts'
import { afaEndpoints } from './afa.ts'
import { agentShopEndpoints } from './agent-shops.ts'
import { apiKeyEndpoints } from './api-keys.ts'
import { batchEndpoints } from './batches.ts'
import { bulkEndpoints } from './bulk.ts'
import { channelEndpoints } from './channels.ts'
import { checkerEndpoints } from './checkers.ts'
import { claimEndpoints } from './claims.ts'
import { contactEndpoints } from './contacts.ts'
import { costEndpoints } from './costs.ts'
import { customerEndpoints } from './customers.ts'
import { dayCloseEndpoints } from './day-close.ts'
import { deliveryEndpoints } from './deliveries.ts'
import { exportEndpoints } from './export.ts'
import { floatEndpoints } from './floats.ts'
import { forwardedEndpoints, forwarderEndpoints } from './forwarders.ts'
import { inboxEndpoints } from './inbox.ts'
import { insightEndpoints } from './insight.ts'
import { failedJobEndpoints } from './jobs.ts'
import { messageFormatEndpoints } from './message-format-endpoints.ts'
import { newsEndpoints } from './news.ts'
import { noticeEndpoints } from './notice.ts'
import { numberEndpoints } from './numbers.ts'
import { checkoutEndpoints, orderEndpoints } from './orders.ts'
import { paymentEndpoints, paymentWebhookEndpoints } from './payments.ts'
import { priceEndpoints } from './prices.ts'
import { productEndpoints } from './products.ts'
import { profitEndpoints } from './profit.ts'
import { receivedPaymentEndpoints } from './received-payments.ts'
import { rechargeEndpoints } from './recharges.ts'
import { reconciliationEndpoints } from './reconciliation.ts'
import { referralEndpoints } from './referrals.ts'
import { refundEndpoints } from './refunds.ts'
import { reportEndpoints } from './reports.ts'
import { settingsEndpoints } from './settings.ts'
import { shopEndpoints } from './shop.ts'
import { shopSettingsEndpoints } from './shop-settings.ts'
import { staffEndpoints } from './staff.ts'
import { statsEndpoints } from './stats.ts'
import { subAgentEndpoints } from './sub-agents.ts'
import { supplierEndpoints } from './suppliers.ts'
import { trackerEndpoints } from './tracker.ts'
import { transactionPinEndpoints } from './transaction-pin.ts'
import { sessionEndpoints, userEndpoints } from './users.ts'
import { ussdEndpoints, ussdSettingsEndpoints } from './ussd.ts'
import { walletEndpoints } from './wallet.ts'
import { webhookEndpoints } from './webhooks.ts'
import { whatsappEndpoints, whatsappWebhookEndpoints } from './whatsapp.ts'
import { withdrawalEndpoints } from './withdrawals.ts'

/** Every endpoint of the API. */
export const routes = {
  ...accountEndpoints,
  ...numberEndpoints,
  ...activityEndpoints,
  ...apiKeyEndpoints,
  ...webhookEndpoints,
  ...afaEndpoints,
  ...agentShopEndpoints,
  ...reconciliationEndpoints,
  ...batchEndpoints,
  ...bulkEndpoints,
  ...channelEndpoints,
  ...claimEndpoints,
  ...messageFormatEndpoints,
  ...contactEndpoints,
  ...costEndpoints,
  ...customerEndpoints,
  ...deliveryEndpoints,
  ...dayCloseEndpoints,
  ...exportEndpoints,
  ...failedJobEndpoints,
  ...insightEndpoints,
  ...floatEndpoints,
  ...forwarderEndpoints,
  ...forwardedEndpoints,
  ...inboxEndpoints,
  ...newsEndpoints,
  ...noticeEndpoints,
  ...checkoutEndpoints,
  ...orderEndpoints,
  ...paymentEndpoints,
  ...paymentWebhookEndpoints,
  ...priceEndpoints,
  ...productEndpoints,
  ...profitEndpoints,
  ...rechargeEndpoints,
  ...receivedPaymentEndpoints,
  ...referralEndpoints,
  ...subAgentEndpoints,
  ...reportEndpoints,
  ...settingsEndpoints,
  ...shopEndpoints,
  ...staffEndpoints,
  ...shopSettingsEndpoints,
  ...statsEndpoints,
  ...supplierEndpoints,
  ...trackerEndpoints,
  ...checkerEndpoints,
  ...sessionEndpoints,
  ...userEndpoints,
  ...transactionPinEndpoints,
  ...ussdEndpoints,
  ...ussdSettingsEndpoints,
  ...walletEndpoints,
  ...whatsappEndpoints,
  ...whatsappWebhookEndpoints,
  ...withdrawalEndpoints,
  ...refundEndpoints,
}
export type Routes = typeof routes
