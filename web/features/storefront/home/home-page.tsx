import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { callLink, mailLink, whatsAppLink } from '../../../../shared/links.ts'
import { session } from '../../../lib/session.ts'
import { homeTexts } from '../../../texts/home.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { Page } from '../../../ui/page.tsx'
import { useShelf } from '../../catalogue/products/use-shelf.ts'
import { useShop } from '../../shop/shop/api.ts'
import { isOpenAt } from '../../shop/shop/is-open-at.ts'
import { Hero } from './hero.tsx'
import { NetworkStrip } from './network-strip.tsx'
import { Testimonials } from './testimonials.tsx'

export default function HomePage() {
  const shop = useShop()
  const user = session.use()
  const shelf = useShelf()
  useEffect(() => {
    document.title = `${shop.name}: ${shop.tagline}`
  }, [shop])
  return (
    <>
      <Hero user={user} products={shelf.products} />
      <Page>
        <section aria-labelledby="networks" className="pt-6 lg:pt-10">
          <div className="flex items-center justify-between gap-3">
            <h2 id="networks" className="text-large lg:text-title">
              {shelf.seenAt === null ? homeTexts.everyNetwork : homeTexts.everyNetworkAsOf(dayOf(shelf.seenAt))}
            </h2>
            <Link
              href="/store"
              className="inline-flex min-h-11 shrink-0 items-center gap-1 font-semibold text-brand-text underline-offset-4 hover:underline"
            >
              {homeTexts.store}
              <Icon name="next" className="size-4.5" />
            </Link>
          </div>
          <NetworkStrip shelf={shelf} level={user?.userLevel} />
        </section>
        <section aria-labelledby="three-taps" className="pt-8 lg:pt-10">
          <h2 id="three-taps" className="text-large lg:text-title">
            {homeTexts.threeTaps}
          </h2>
          <ol className="mt-4 grid gap-4 lg:grid-cols-3">
            {homeTexts.steps.map(({ title, text }, index) => (
              <li key={title} className="flex gap-3">
                <span
                  aria-hidden="true"
                  className="flex size-7 shrink-0 items-center justify-center rounded-full bg-brand text-small font-bold text-on-brand"
                >
                  {index + 1}
                </span>
                <div>
                  <h3 className="text-body">{title}</h3>
                  <p className="text-body text-muted">{text}</p>
                </div>
              </li>
            ))}
          </ol>
        </section>
        <div className="grid gap-x-12 lg:grid-cols-2">
          <section aria-labelledby="testimonials" className="min-w-0 pt-8 lg:pt-10">
            <h2 id="testimonials" className="mb-3 text-large lg:text-title">
              {homeTexts.whatCustomersSay}
            </h2>
            <Testimonials />
          </section>
          <Contacts />
        </div>
      </Page>
    </>
  )
}

function dayOf(at: number): string {
  return new Date(at).toLocaleDateString('en-GH', { day: 'numeric', month: 'long', timeZone: 'UTC' })
}

function Contacts() {
  const shop = useShop()
  const { hours } = shop
  const [isOpen, setIsOpen] = useState<boolean | null>(null)
  // Only the browser knows when the page is read, and the shop what time it is: it says so with the prices, where they are not in the page.
  useEffect(() => setIsOpen(hours && isOpenAt(hours, new Date(Date.now() + (window.ahead || 0)))))
  return (
    <section id="contact" aria-labelledby="contact-title" className="pt-8 lg:pt-10">
      <h2 id="contact-title" className="text-large lg:text-title">
        {homeTexts.contactUs}
      </h2>
      <p className="mt-1 text-body">
        <span className="sr-only">{homeTexts.workHours}</span> {shop.workHours}
      </p>
      {hours && <p className="min-h-6 text-body text-muted">{isOpen !== null && (isOpen ? homeTexts.openNow : homeTexts.closedNow)}</p>}
      <ul className="mt-3 grid gap-2 sm:grid-cols-2">
        {shop.whatsapp.map((number, index) => (
          <Contact key={number} icon="chat" name={homeTexts.whatsApp(index + 1)} href={whatsAppLink(number)}>
            {number}
          </Contact>
        ))}
        {shop.phone && (
          <Contact icon="phone" name={homeTexts.phone} href={callLink(shop.phone)}>
            {shop.phone}
          </Contact>
        )}
        {shop.email && (
          <Contact icon="mail" name={homeTexts.email} href={mailLink(shop.email)}>
            {shop.email}
          </Contact>
        )}
      </ul>
    </section>
  )
}

function Contact({ icon, name, href, children }: { icon: IconName; name: string; href: string; children: ReactNode }) {
  return (
    <li>
      <a
        href={href}
        {...(href.startsWith('https:') ? { target: '_blank', rel: 'noreferrer' } : {})}
        className="flex min-h-13 items-center gap-3 rounded-box border border-line-strong bg-surface px-3 py-1.5 hover:bg-sunken"
      >
        <Icon name={icon} className="size-5.5 text-brand-text" />
        <span className="min-w-0">
          <span className="block text-small text-muted">{name}</span>
          <span className="tabular block font-semibold wrap-anywhere">{children}</span>
        </span>
      </a>
    </li>
  )
}
