import { UssdCard } from '../../features/channels/ussd/admin/ussd-card.tsx'
import { WhatsappSettings } from '../../features/channels/whatsapp/admin/whatsapp-settings.tsx'
import { OperationSettings } from '../../features/shop/settings/admin/operation-settings.tsx'
import { ShopSettings } from '../../features/shop/shop/admin/shop-settings.tsx'
import { useScreenTitle } from '../../ui/admin/screen-title.ts'

/** How customers see and pay the shop, and how it works with suppliers and messages. */
export default function SettingsTab() {
  useScreenTitle({ title: 'Settings', subtitle: 'What customers see, and where they pay' })
  return (
    <div className="flex flex-col gap-8">
      <ShopSettings />
      <OperationSettings />
      <div className="flex max-w-5xl flex-col gap-8">
        <UssdCard />
        <WhatsappSettings />
      </div>
    </div>
  )
}
