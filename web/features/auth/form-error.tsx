import { whatsAppLink } from '../../lib/links.ts'
import { NoticeBox } from '../../ui/notice-box.tsx'
import { useShop } from '../shop/api.ts'

/** An error of a whole form. With `askShop`, only the shop can help, so it links to WhatsApp. */
export function FormError({ message, askShop }: { message: string | null; askShop?: boolean }) {
  const [number] = useShop().whatsapp
  if (!message) return null
  return (
    <NoticeBox tone="danger">
      {message}
      {askShop && number && (
        <a
          href={whatsAppLink(number, message)}
          target="_blank"
          rel="noreferrer"
          className="flex min-h-11 items-center font-semibold underline underline-offset-4"
        >
          Write to us on WhatsApp
        </a>
      )}
    </NoticeBox>
  )
}
