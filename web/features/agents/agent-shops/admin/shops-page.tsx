import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { CircleCheck, Lock, Pause, Search, Store } from 'lucide-react'
import { useState } from 'react'
import { SHOP_SHADES } from '../../../../../shared/agent-shop-shades.ts'
import type { ListedShop } from '../../../../../shared/agent-shops.ts'
import { formatDateTime } from '../../../../../shared/dates.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { hasRole } from '../../../../../shared/staff-rules.ts'
import { call, callList } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { refreshSoon } from '../../../../lib/query-client.ts'
import { session } from '../../../../lib/session.ts'
import { useDebounced } from '../../../../lib/use-debounced.ts'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { useScreenTitle } from '../../../../ui/admin/screen-title.ts'
import { Button, buttonClass } from '../../../../ui/button.tsx'
import { Chip, ChipRow } from '../../../../ui/chip.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Detail, Details } from '../../../../ui/details.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Money } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Pagination } from '../../../../ui/pagination.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { ReferralRules } from '../../../people/referrals/admin/referral-rules.tsx'
import { ShopRules } from './shop-rules.tsx'

const PAGE_SIZE = 10

const SHOWN = { all: 'All shops', hosts: 'Host names to decide', names: 'Names like ours' }
type Shown = keyof typeof SHOWN
const NONE: Record<Shown, { title: string; text: string }> = {
  all: { title: 'No shops yet', text: 'Once an agent opens a shop, it shows up here with what it sells.' },
  hosts: { title: 'No host name is waiting', text: 'When an agent wants an address of their own for their shop, it shows up here.' },
  names: { title: 'No shop is called like ours', text: 'A shop that guests could take for our own would show up here.' },
}

const shopsQuery = (page: number, search: string, shown: Shown) =>
  queryOptions({
    queryKey: ['agent-shops', page, search, shown],
    queryFn: ({ signal }) =>
      callList('GET /agent-shops', {
        query: {
          ...{ page, pageSize: PAGE_SIZE, search },
          ...(shown === 'hosts' && { host: 'waiting' as const }),
          ...(shown === 'names' && { names: 'ours' as const }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** Agents' shops: what they sell and keep, and the owner's limits for one or all. */
export default function ShopsPage() {
  const [page, setPage] = useState(1)
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim())
  const [shown, setShown] = useState<Shown>('all')
  const { data, error, refetch } = useQuery(shopsQuery(page, search, shown))
  const isOwner = hasRole({ roles: session.use()?.roles ?? ['owner'] }, 'owner')
  useScreenTitle({ title: 'Agent shops', subtitle: 'What agents sell under their own name' })
  return (
    <div className="flex max-w-[45rem] flex-col gap-4 min-[90rem]:max-w-[76rem]">
      <Field
        label="Search"
        hideLabel
        type="search"
        placeholder="Shop, link, agent or phone"
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setPage(1)
        }}
      />
      <ChipRow label="Which shops" wrap>
        {(Object.keys(SHOWN) as Shown[]).map((one) => (
          <Chip
            key={one}
            selected={shown === one}
            onClick={() => {
              setShown(one)
              setPage(1)
            }}
          >
            {SHOWN[one]}
          </Chip>
        ))}
      </ChipRow>
      {error && !data ? (
        <LoadError what="The shops" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading label="Loading the shops…">
          <Skeleton className="h-64" />
        </Loading>
      ) : data.rows.length === 0 ? (
        <EmptyState icon={search ? <Search /> : <Store />} title={search ? 'No shop like that' : NONE[shown].title}>
          {search ? 'Try a part of its name, its link or the agent’s phone.' : NONE[shown].text}
        </EmptyState>
      ) : (
        <>
          <ul className="grid items-start gap-4 min-[90rem]:grid-cols-2">
            {data.rows.map((shop) => (
              <li key={shop.id}>
                <ShopCard shop={shop} isOwner={isOwner} />
              </li>
            ))}
          </ul>
          <Pagination page={page} pageCount={Math.ceil(data.total / PAGE_SIZE)} onPage={setPage} />
        </>
      )}
      <ShopRules mayChange={isOwner} />
      <ReferralRules mayChange={isOwner} />
    </div>
  )
}

function ShopCard({ shop, isOwner }: { shop: ListedShop; isOwner: boolean }) {
  const { name, slug, agent, agentAbove, orders, sold, earned, earnings, debt, closed, maxMarkup, host, likeOurs, createdAt } = shop
  return (
    <Card
      label={name}
      title={
        <span className="flex min-w-0 items-center gap-2.5">
          <span aria-hidden="true" className="size-4 shrink-0 rounded-[5px]" style={{ background: SHOP_SHADES[shop.colour].band }} />
          <span className="min-w-0 break-words">{name}</span>
        </span>
      }
      state={<ShopState shop={shop} />}
    >
      <div className="flex flex-col gap-3 px-4 py-3">
        <Details>
          <Detail name="Agent">
            {agent.username}
            {agent.phone !== undefined && `, ${spacedPhone(agent.phone)}`}
          </Detail>
          {agentAbove && <Detail name="Sells under">{agentAbove.username}</Detail>}
          <Detail name="Sold">
            {sold !== undefined && (
              <>
                <Money cedis={sold} /> in{' '}
              </>
            )}
            {orders.toLocaleString('en')} {orders === 1 ? 'order' : 'orders'}
          </Detail>
          {earned !== undefined && earnings !== undefined && (
            <Detail name="The agent earned">
              <Money cedis={earned} />, of which <Money cedis={earnings} /> is still here
            </Detail>
          )}
          {debt !== undefined && debt > 0 && (
            <Detail name="They owe">
              <Money cedis={debt} className="text-danger" /> after refunds
            </Detail>
          )}
          {maxMarkup !== null && <Detail name="Highest price">{maxMarkup}% above cost, for this shop</Detail>}
          {likeOurs && (
            <Detail name="Name">
              <span className="text-pending">
                Guests could take this shop for ours. Ask {agent.username} to choose another name, or close it.
              </span>
            </Detail>
          )}
          {host && (
            <Detail name="Host name">
              {host.name}, {host.approved ? 'approved' : 'not approved'}
            </Detail>
          )}
          {closed && (
            <Detail name="Closed">
              {closed.reason} ({closed.by}, {formatDateTime(new Date(closed.at))})
            </Detail>
          )}
          <Detail name="Since">{formatDateTime(new Date(createdAt))}</Detail>
        </Details>
        <div className="flex flex-wrap gap-3">
          <a href={`/s/${slug}`} target="_blank" rel="noreferrer" className={buttonClass('secondary')}>
            See the shop
          </a>
          {isOwner && <OwnersActs shop={shop} />}
        </div>
      </div>
    </Card>
  )
}

function ShopState({ shop: { open, closed } }: { shop: ListedShop }) {
  if (closed)
    return (
      <StateChip tone="danger" icon={<Lock aria-hidden="true" />}>
        closed by the owner
      </StateChip>
    )
  return open ? (
    <StateChip tone="done" icon={<CircleCheck aria-hidden="true" />}>
      open
    </StateChip>
  ) : (
    <StateChip icon={<Pause aria-hidden="true" />}>closed by the agent</StateChip>
  )
}

type Limits = { closed?: string | null; maxMarkup?: number | null; hostApproved?: boolean; seenHost?: string; refuseHost?: string }

function OwnersActs({ shop: { id, name, closed, maxMarkup, host, agent } }: { shop: ListedShop }) {
  const [busy, setBusy] = useState(false)
  const limit = async (limits: Limits, done: string) => {
    setBusy(true)
    try {
      await withPassword(() => call('PUT /agent-shops/:id', { params: { id }, body: limits }))
      toast.success(done)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
      refreshSoon(['agent-shops'], ['admin-actions'])
    }
  }
  const close = async () => {
    let reason = ''
    const yes = await confirmAction({
      question: `Close ${name}?`,
      title: 'Close this shop',
      danger: true,
      details: (
        <Field
          label="Reason"
          name="reason"
          autoComplete="off"
          maxLength={200}
          hint={`${agent.username} reads it. Other shops go on, and so do orders already paid.`}
          onChange={(event) => {
            reason = event.currentTarget.value.trim()
          }}
        />
      ),
    })
    if (yes) await limit({ closed: reason }, `${name} is closed.`)
  }
  const reopen = async () => {
    if (await confirmAction({ question: `Open ${name} again?`, title: 'Open this shop' }))
      await limit({ closed: null }, `${name} is open again.`)
  }
  const cap = async () => {
    let percent = maxMarkup === null ? '' : String(maxMarkup)
    const yes = await confirmAction({
      question: `Limit the prices of ${name}?`,
      title: 'Highest price',
      details: (
        <Field
          label="% above the agent’s cost"
          name="maxMarkup"
          inputMode="numeric"
          maxLength={3}
          defaultValue={percent}
          hint="1 to 500. Empty: as for all shops."
          onChange={(event) => {
            percent = event.currentTarget.value.trim()
          }}
        />
      ),
    })
    if (yes) await limit({ maxMarkup: percent === '' ? null : Number(percent) }, 'The limit was saved.')
  }
  const approve = async (hostApproved: boolean) => {
    const question = hostApproved ? `Let ${name} use ${host?.name}?` : `Stop ${name} from using ${host?.name}?`
    if (await confirmAction({ question, title: 'Host name' })) await limit({ hostApproved, ...(host && { seenHost: host.name }) }, 'Saved.')
  }
  const refuse = async (refuseHost: string) => {
    const details = `${agent.username} reads it in My shop and may ask for another. The shop keeps its link.`
    if (await confirmAction({ question: `Say no to ${refuseHost}?`, title: 'Host name', details, danger: true }))
      await limit({ refuseHost }, 'The host name was refused.')
  }
  return (
    <>
      {closed ? (
        <Button busy={busy} onClick={() => void reopen()}>
          Open again
        </Button>
      ) : (
        <Button variant="danger" busy={busy} onClick={() => void close()}>
          Close
        </Button>
      )}
      <Button variant="secondary" disabled={busy} onClick={() => void cap()}>
        Limit prices
      </Button>
      {host && (
        <Button variant="secondary" disabled={busy} onClick={() => void approve(!host.approved)}>
          {host.approved ? 'Withdraw approval of the host name' : 'Approve the host name'}
        </Button>
      )}
      {host && !host.approved && (
        <Button variant="secondary" disabled={busy} onClick={() => void refuse(host.name)}>
          Refuse the host name
        </Button>
      )}
    </>
  )
}
