import { helpTexts } from '../../../texts/help.ts'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { HelpLink } from '../../shop/shop/help-link.tsx'

/** An error of a whole form. With `askShop`, only the shop can help, so it links to WhatsApp. */
export function FormError({ message, askShop }: { message: string | null; askShop?: boolean }) {
  if (!message) return null
  return (
    <NoticeBox tone="danger">
      {message}
      {askShop && (
        <HelpLink about="sign-in" text={message} look="link" className="text-current!">
          {helpTexts.writeToUs}
        </HelpLink>
      )}
    </NoticeBox>
  )
}
