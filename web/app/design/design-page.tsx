import { PackageOpen, Share2 } from 'lucide-react'
import { type CSSProperties, type ReactNode, useState } from 'react'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Chip, ChipRow } from '../../ui/chip.tsx'
import { Detail, Details } from '../../ui/details.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Money } from '../../ui/money.tsx'
import { NETWORK_NAMES, NetworkArt } from '../../ui/network-art.tsx'
import { NetworkBadge } from '../../ui/network-badge.tsx'
import { LoadError, NoticeBox } from '../../ui/notice-box.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { StatusPunches } from '../../ui/punches.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { SwitchField } from '../../ui/switch-field.tsx'
import { Offer, Ticket, TicketRow, TicketTile } from '../../ui/ticket.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import { toast } from '../../ui/toast.ts'
import { TornTicket } from '../../ui/torn-ticket.tsx'

/** The shop's building blocks in both themes side by side, for those who work on it. */
export default function DesignPage() {
  return (
    <Page width="full">
      <PageHeader title="Design">
        <p>What the screens are made of, in both themes. Figures and names are examples.</p>
      </PageHeader>
      <div style={{ display: 'grid', gap: 16, gridTemplateColumns: 'repeat(auto-fit, minmax(min(24rem, 100%), 1fr))' }}>
        <Theme name="light" />
        <Theme name="dark" />
      </div>
    </Page>
  )
}

/** In styles of its own, since a class used here alone would weigh on every page. */
const THEME: CSSProperties = { padding: 16, borderRadius: 12, background: 'var(--paper)', color: 'var(--ink)' }
const STACK: CSSProperties = { display: 'flex', flexDirection: 'column', gap: 12, marginTop: 32 }
const ROW: CSSProperties = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 12 }

function Theme({ name }: { name: 'light' | 'dark' }) {
  return (
    <section data-theme={name} aria-label={name} style={THEME} className="min-w-0 border border-line">
      <h2 className="text-title">{name === 'light' ? 'Light' : 'Dark'}</h2>
      <Type />
      <Space />
      <Colour />
      <Tickets />
      <Buttons />
      <Fields />
      <Statuses />
      <States />
      <GreenPage />
    </section>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div style={STACK}>
      <h3 className="text-large">{title}</h3>
      {children}
    </div>
  )
}

const TYPE = [
  ['13', 0.8125],
  ['15', 0.9375],
  ['17', 1.0625],
  ['20', 1.25],
  ['25', 1.5625],
  ['31', 1.9375],
  ['40', 2.5],
  ['64', 4],
] as const

function Type() {
  return (
    <Part title="Type">
      {TYPE.map(([px, rem]) => (
        <p key={px} style={{ fontSize: `${rem}rem`, lineHeight: 1.2 }}>
          <span className="text-small text-muted">{px} </span>
          <span style={{ fontWeight: 700 }}>{px === '64' ? '10GB' : px === '40' ? '¢704.00' : 'Who needs data today?'}</span>
        </p>
      ))}
      <p>
        <Money cedis={1752} /> and <Money cedis={-48} /> and <Money cedis={20} signed /> in figures of one width.
      </p>
    </Part>
  )
}

function Space() {
  return (
    <Part title="Spacing, shape and motion">
      <div style={ROW}>
        {[4, 8, 12, 16, 20, 24, 32, 48].map((width) => (
          <span key={width} style={{ width, height: 24, background: 'var(--brand)' }} />
        ))}
      </div>
      <div style={ROW}>
        <Card className="p-4">Radius 12</Card>
        <Card className="p-4 [box-shadow:var(--lift)]">The one shadow</Card>
        <Button>150 ms, ease-out</Button>
      </div>
    </Part>
  )
}

const COLOURS =
  'paper surface sunken line line-strong ink muted brand brand-soft pending pending-soft done done-soft danger danger-soft field field-muted'.split(
    ' ',
  )

function Colour() {
  return (
    <Part title="Colour">
      <ul style={{ display: 'grid', gap: 8, gridTemplateColumns: 'repeat(auto-fill, minmax(6rem, 1fr))' }} className="text-small">
        {COLOURS.map((name) => (
          <li key={name}>
            <span
              style={{ display: 'block', height: 40, borderRadius: 12, border: '1px solid var(--line)', background: `var(--${name})` }}
            />
            {name}
          </li>
        ))}
      </ul>
      <div style={ROW}>
        {NETWORK_NAMES.map((network) => (
          <NetworkBadge key={network} network={network} />
        ))}
      </div>
    </Part>
  )
}

function Tickets() {
  const [chosen, setChosen] = useState('10GB')
  const tile = (offer: string, cedis: number) => ({ offer, cedis, selected: chosen === offer, onClick: () => setChosen(offer) })
  return (
    <Part title="Tickets">
      <ChipRow label="Networks" wrap>
        {NETWORK_NAMES.map((network, at) => (
          <Chip key={network} network={network} selected={at === 0} onClick={() => undefined}>
            {network}
          </Chip>
        ))}
      </ChipRow>
      <div className="tiles">
        <TicketTile network="MTN" {...tile('1GB', 5.5)} note="No expiry" />
        <TicketTile network="MTN" {...tile('10GB', 48)} note="No expiry" popular />
        <TicketTile network="AirtelTigo" {...tile('500MB', 3)} note="90 days" />
        <TicketTile network="Telecel" {...tile('100GB', 1452)} note="60 days" />
        <TicketTile network="Airtime" {...tile('MashUp GHS 5', 5)} />
        <TicketTile network="WAEC Checkers" {...tile('WASSCE', 19)} note="1 checker" />
        <TicketTile network="AFA" offer="AFA registration" cedis={20} disabled />
        <TicketTile network="MTN PULSE" {...tile('2GB', 5.5)} note="30 days" />
      </div>
      <TicketRow network="MTN" title="Mum" subtitle="10GB · 024 412 3456" stub={<Money cedis={48} />} href="/store" label="Buy again:" />
      <TicketRow
        network="Telecel"
        title="Auntie Akosua Frimpomaa at the shop in Techiman"
        subtitle="10GB · 050 123 4567"
        stub={<Money cedis={43.5} />}
      />
      <TicketRow
        network="AirtelTigo"
        title="5GB to Kofi"
        subtitle={<StatusPunches status="rejected" note="refunded" />}
        stub={<Money cedis={24} />}
      />
      <Ticket
        network="MTN"
        stub={
          <Timeline
            label="What has happened"
            steps={[
              { key: 'paid', title: 'Paid', detail: 'From your wallet', time: '14:02', state: 'done' },
              { key: 'sent', title: 'Sent', detail: 'MTN has the order', time: '14:03', state: 'done' },
              { key: 'delivered', title: 'Delivered', time: 'by 14:14', state: 'waiting' },
            ]}
          />
        }
      >
        <div style={ROW}>
          <div className="flex-1">
            <Offer name="10GB" size="figure" />
            <p className="text-large font-bold">Mum</p>
          </div>
          <NetworkArt network="MTN" size={44} />
        </div>
      </Ticket>
    </Part>
  )
}

function Buttons() {
  const [asking, setAsking] = useState(false)
  return (
    <Part title="Buttons">
      <Button block size="large" stub={<Money cedis={48} />}>
        Pay with wallet
      </Button>
      <Button block size="large" stub={<Money cedis={48} />} busy>
        Pay with wallet
      </Button>
      <Button block size="large" stub={<Money cedis={48} />} disabled>
        Pay with wallet
      </Button>
      <div style={{ display: 'grid', gap: 8, gridTemplateColumns: 'repeat(auto-fit, minmax(min(9rem, 100%), 1fr))' }}>
        <Button variant="secondary" size="large" note={<Money cedis={49.44} />}>
          Pay without wallet
        </Button>
        <Button variant="secondary" icon={<Share2 className="size-5" aria-hidden="true" />}>
          Share
        </Button>
        <Button variant="secondary" disabled>
          Add to cart
        </Button>
        <Button variant="danger">Remove</Button>
        <ButtonLink href="/store" variant="quiet">
          All 12 offers
        </ButtonLink>
        <Button variant="secondary" onClick={() => toast.success('Purchase made successfully')}>
          Notification
        </Button>
      </div>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        Open a sheet
      </Button>
      {asking && (
        <Dialog
          title="MTN"
          kicker="BUY PAGE"
          mark={<NetworkArt network="MTN" size={44} />}
          onClose={() => setAsking(false)}
          yes={{ stub: <Money cedis={48} />, onClick: () => setAsking(false), children: 'Pay with wallet' }}
        >
          <div className="tiles">
            {['1GB', '2GB', '3GB', '4GB', '5GB', '10GB'].map((offer) => (
              <TicketTile
                key={offer}
                network="MTN"
                offer={offer}
                note="No expiry"
                cedis={48}
                selected={offer === '2GB'}
                onClick={() => undefined}
              />
            ))}
          </div>
        </Dialog>
      )}
    </Part>
  )
}

function Fields() {
  const [on, setOn] = useState(true)
  return (
    <Part title="Fields">
      <Field label="Receiver phone number" defaultValue="024 412 3456" hint="Ten digits, beginning with 0." />
      <Field label="Receiver phone number" defaultValue="024 41" error="That number is too short. It has ten digits." />
      <Field label="Receiver phone number" defaultValue="020 123 4567" warning="020 is usually Telecel. This is an MTN offer." />
      <SelectField label="Show">
        <option>5</option>
        <option>10</option>
      </SelectField>
      <Field label="Username" defaultValue="ama" disabled />
      <SwitchField name="price" label="Price on the picture" hint="GHS 48.00 stays between us" checked={on} onValue={setOn} />
    </Part>
  )
}

function Statuses() {
  return (
    <Part title="Status">
      <div style={ROW}>
        <StatusPunches status="pending" />
        <StatusPunches status="pending" sent />
        <StatusPunches status="completed" />
        <StatusPunches status="rejected" />
        <StatusPunches status="rejected" note="refunded" />
      </div>
      <div style={ROW}>
        <StatusBadge tone="pending">pending</StatusBadge>
        <StatusBadge tone="done">approved</StatusBadge>
        <StatusBadge tone="danger">declined</StatusBadge>
        <StatusBadge tone="neutral">Customer</StatusBadge>
      </div>
    </Part>
  )
}

function States() {
  return (
    <Part title="Empty, loading and failing">
      <EmptyState
        icon={<PackageOpen />}
        title="No orders yet"
        action={
          <ButtonLink href="/store" variant="secondary">
            Go to the store
          </ButtonLink>
        }
      >
        Your orders will be here, with their receipts.
      </EmptyState>
      <Loading>
        <div className="tiles">
          {[1, 2, 3].map((key) => (
            <div key={key} style={{ display: 'grid', height: 104 }}>
              <Skeleton />
            </div>
          ))}
        </div>
      </Loading>
      <LoadError what="Your transactions" onRetry={() => undefined} />
      <NoticeBox title="You are offline">Prices are from 14:02.</NoticeBox>
      <NoticeBox tone="pending" title="Your payment is being checked">
        Don’t pay again.
      </NoticeBox>
      <NoticeBox tone="done" title="We credited ¢100.00 to your wallet" />
    </Part>
  )
}

function GreenPage() {
  return (
    <Part title="The green page">
      <div className="field" style={{ ...STACK, gap: 16, margin: '0 -16px -16px', padding: 16, borderRadius: '0 0 12px 12px' }}>
        <h4 className="text-display font-bold">Your order is placed successfully</h4>
        <TornTicket
          network="MTN"
          stub={
            <Details>
              <Detail name="Paid from wallet">
                <Money cedis={48} className="text-title" />
              </Detail>
              <Detail name="Left in your wallet">
                <Money cedis={704} />
              </Detail>
              <Detail name="Reference">48210573</Detail>
            </Details>
          }
        >
          <div style={ROW}>
            <Offer name="10GB" size="poster" />
            <p className="text-large">
              <b>Mum</b> 024 412 3456
            </p>
          </div>
        </TornTicket>
        <TicketRow
          network="Telecel"
          title="Router at the shop"
          subtitle="10GB · 050 123 4567"
          stub={<Money cedis={43.5} />}
          href="/store"
        />
        <div className="tiles">
          <TicketTile network="MTN" offer="1GB" note="MTN" cedis={5.5} href="/store" />
          <TicketTile network="Telecel" offer="5GB" note="Telecel" cedis={25.5} href="/store" />
          <TicketTile network="AirtelTigo" offer="10GB" note="AirtelTigo" cedis={48} href="/store" popular />
        </div>
        <p className="text-muted">We’re loading 10GB to Mum. Usually 4 to 12 minutes.</p>
        <Button block size="large">
          Where is it now?
        </Button>
        <Button block variant="secondary">
          Buy again
        </Button>
      </div>
    </Part>
  )
}
