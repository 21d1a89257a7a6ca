import { CircleCheck, Mail, MessageCircle, Phone, ShieldCheck, Timer, Wallet } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { callLink, mailLink, whatsAppLink } from '../../lib/links.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { NETWORK_NAMES } from '../../ui/network-art.tsx'
import { NetworkBadge } from '../../ui/network-badge.tsx'
import { Page } from '../../ui/page.tsx'
import { useShop } from '../shop/api.ts'
import { Testimonials } from './testimonials.tsx'

export default function HomePage() {
  const shop = useShop()
  useEffect(() => {
    document.title = `${shop.name}: ${shop.tagline}`
  }, [shop])
  return (
    <>
      <section className="border-b border-line bg-brand-soft">
        <Page className="grid items-center gap-12 py-14! sm:py-20! lg:grid-cols-[1fr_22rem]">
          <div className="flex flex-col items-start gap-5">
            <h1 className="max-w-2xl text-hero sm:text-[3rem] sm:leading-[1.08]">{shop.tagline}</h1>
            <p className="max-w-xl text-large text-muted">
              Data for MTN, AirtelTigo and Telecel, airtime, AFA and WAEC checkers. Pay from your wallet or by card, and follow every order
              by its reference.
            </p>
            <ButtonLink href="/store" size="large" className="min-w-44">
              BUY HERE
            </ButtonLink>
            <ul aria-label="Networks" className="flex flex-wrap gap-x-5 gap-y-2 pt-2 text-body">
              {NETWORK_NAMES.map((network) => (
                <li key={network}>
                  <NetworkBadge network={network} />
                </li>
              ))}
            </ul>
          </div>
          <SampleOrders />
        </Page>
      </section>
      <Page className="pt-12 sm:pt-16">
        <ul className="grid gap-6 sm:grid-cols-3">
          <Strength icon={<Timer />} title="Three taps">
            Network, offer, number. You see the price, and any charge, before you pay.
          </Strength>
          <Strength icon={<ShieldCheck />} title="Charged once">
            A lost connection never buys twice. If we reject an order, we refund your wallet in full.
          </Strength>
          <Strength icon={<Wallet />} title="Less for agents">
            Pay one upgrade fee, buy at agent prices, and order for forty customers from one cart.
          </Strength>
        </ul>
      </Page>
      <section aria-labelledby="testimonials" className="border-y border-line bg-surface py-12 sm:py-16">
        <Page className="pb-0!">
          <h2 id="testimonials" className="mb-6 text-display">
            What customers say
          </h2>
          <Testimonials />
        </Page>
      </section>
      <section id="contact" aria-labelledby="contact-title">
        <Page className="pt-12 sm:pt-16">
          <h2 id="contact-title" className="text-display">
            Contact Us
          </h2>
          <p className="mt-2 text-body text-muted">
            Work hours: <span className="font-medium text-ink">{shop.workHours}</span>
          </p>
          <ul className="mt-6 grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
            {shop.phone && (
              <Contact icon={<Phone />} name="Phone" href={callLink(shop.phone)}>
                {shop.phone}
              </Contact>
            )}
            {shop.email && (
              <Contact icon={<Mail />} name="E-mail" href={mailLink(shop.email)}>
                {shop.email}
              </Contact>
            )}
            {shop.whatsapp.map((number, index) => (
              <Contact key={number} icon={<MessageCircle />} name={`WhatsApp ${index + 1}`} href={whatsAppLink(number)}>
                {number}
              </Contact>
            ))}
          </ul>
        </Page>
      </section>
    </>
  )
}

const SAMPLES = [
  { network: 'MTN', offer: '10GB', receiver: '024 ••• 4567', className: 'ml-10' },
  { network: 'Telecel', offer: '5GB', receiver: '020 ••• 8812', className: 'mr-4' },
  { network: 'AirtelTigo', offer: '3GB', receiver: '027 ••• 1903', className: 'ml-6' },
] as const

/** A drawing of orders passing through the shop. */
function SampleOrders() {
  return (
    <div aria-hidden="true" className="hidden flex-col gap-4 lg:flex">
      {SAMPLES.map(({ network, offer, receiver, className }) => (
        <div
          key={network}
          className={`flex items-center justify-between gap-4 rounded-box border border-line bg-surface p-4 [box-shadow:var(--lift)] ${className}`}
        >
          <div>
            <NetworkBadge network={network} className="text-large" />
            <p className="tabular mt-1 text-small text-muted">
              {offer} to {receiver}
            </p>
          </div>
          <CircleCheck className="size-6 text-done" />
        </div>
      ))}
    </div>
  )
}

function Strength({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-4">
      <span
        aria-hidden="true"
        className="flex size-11 shrink-0 items-center justify-center rounded-box bg-brand-soft text-brand-text [&>svg]:size-5.5"
      >
        {icon}
      </span>
      <div>
        <h2 className="text-large">{title}</h2>
        <p className="mt-1 text-body text-muted">{children}</p>
      </div>
    </li>
  )
}

function Contact({ icon, name, href, children }: { icon: ReactNode; name: string; href: string; children: ReactNode }) {
  return (
    <li>
      <a
        href={href}
        {...(href.startsWith('https:') ? { target: '_blank', rel: 'noreferrer' } : {})}
        className="flex min-h-20 items-center gap-4 rounded-box border border-line bg-surface p-4 transition-colors hover:border-line-strong [&>svg]:size-5.5 [&>svg]:shrink-0 [&>svg]:text-brand-text"
      >
        {icon}
        <span className="min-w-0">
          <span className="block text-small text-muted">{name}</span>
          <span className="tabular block font-semibold break-words">{children}</span>
        </span>
      </a>
    </li>
  )
}
