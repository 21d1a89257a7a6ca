import type { ReactNode } from 'react'
import { whatsAppLink } from '../../../../shared/links.ts'
import { type HelpAbout, helpTexts } from '../../../texts/help.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useShop } from './api.ts'

type Props = {
  about: HelpAbout
  /** What the shop finds the matter by: the number of an order, the reference of a top-up or a payment. */
  reference?: string | undefined
  /** The whole message, where the usual one would not say enough. */
  text?: string | undefined
  look?: 'button' | 'link'
  className?: string
  /** What the link says, where "Help" alone is not clear. */
  children?: ReactNode
}

/** Opens a WhatsApp chat with the shop, with what it is about written already. Shown only where the shop has a number. */
export function HelpLink({ about, reference, text, look = 'button', className, children = helpTexts.help }: Props) {
  const { name, whatsapp } = useShop()
  const [number] = whatsapp
  if (!number) return null
  return (
    <a
      href={whatsAppLink(number, text ?? helpTexts.message(name, about, reference))}
      target="_blank"
      rel="noreferrer"
      className={classNames(
        look === 'button'
          ? buttonClass('secondary')
          : 'inline-flex min-h-11 items-center gap-2 font-semibold text-brand-text underline-offset-4 hover:underline',
        className,
      )}
    >
      <Icon name="chat" className={look === 'button' ? 'size-5' : 'size-4.5'} />
      <span>{children}</span>
    </a>
  )
}
