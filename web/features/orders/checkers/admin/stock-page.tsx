import { useQuery } from '@tanstack/react-query'
import { PackagePlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { CheckerImport, CheckerKind, CheckerPackage, CheckerStock } from '../../../../../shared/checkers.ts'
import { formatDateTime } from '../../../../../shared/dates.ts'
import { aboutReply } from '../../../../lib/about-record.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { SelectField } from '../../../../ui/field.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { refreshStock, stockQuery } from './api.ts'
import { KindDialog } from './kind-dialog.tsx'

const ImportCodes = lazy(() => import('./import-codes.tsx'))
const ImportDialog = lazy(() => import('./import-dialog.tsx'))

/** The stock of checkers: how many of each kind, which packages are sold from it, and what came in. */
export default function StockPage() {
  const { data, error, refetch } = useQuery(stockQuery)
  const again = () => void refetch()
  if (data)
    return (
      <>
        <RefreshProblem error={error} onRetry={again} />
        <Stock stock={data} />
      </>
    )
  if (error) return <LoadError what="The stock" error={error} onRetry={again} />
  return (
    <Loading>
      <Skeleton className="h-40" />
      <Skeleton className="mt-4 h-64" />
    </Loading>
  )
}

function Stock({ stock }: { stock: CheckerStock }) {
  const { ready, kinds, packages, imports } = stock
  const [importing, setImporting] = useState<string | null>(null)
  const [changing, setChanging] = useState<CheckerKind | null>(null)
  // What is neither sold nor in stock stands last.
  const shown = kinds.toSorted((a, b) => Number(b.inStock + b.sold > 0) - Number(a.inStock + a.sold > 0))
  return (
    <div className="flex flex-col gap-4">
      {!ready && (
        <NoticeBox tone="danger" title="There is no key to keep checkers with">
          PINs are kept encrypted. Set CHECKERS_KEY on the server and start the shop again, then import.
        </NoticeBox>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted">
          In stock for <Money cedis={kinds.reduce((sum, { value }) => sum + value, 0)} />. A sale hands over the oldest code first.
        </p>
        <Button icon={<PackagePlus className="size-5" aria-hidden="true" />} disabled={!ready} onClick={() => setImporting('')}>
          Import checkers
        </Button>
      </div>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {shown.map((kind) => (
          <KindCard
            key={kind.kind}
            kind={kind}
            isSold={packages.some((line) => line.kind === kind.kind && !line.hidden)}
            onChange={() => setChanging(kind)}
            onImport={ready ? () => setImporting(kind.kind) : null}
          />
        ))}
      </div>
      <Packages packages={packages} kinds={kinds} ready={ready} />
      <Imports imports={imports} kinds={kinds} />
      {importing !== null && (
        <Suspense fallback={null}>
          <ImportDialog kinds={kinds} kind={importing} onClose={() => setImporting(null)} />
        </Suspense>
      )}
      {changing && <KindDialog kind={changing} onClose={() => setChanging(null)} />}
    </div>
  )
}

const UNITS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

type KindProps = { kind: CheckerKind; isSold: boolean; onChange: () => void; onImport: (() => void) | null }

function KindCard({ kind, isSold, onChange, onImport }: KindProps) {
  const { name, inStock, value, sold, soldWeek, replaced, lowStock, portal } = kind
  const isLow = isSold && inStock < lowStock
  const state = inStock === 0 && isSold ? 'Sold out' : isLow ? 'Low' : isSold ? 'On sale' : 'Not on sale'
  return (
    <Card
      title={name}
      state={<StateChip tone={isLow ? (inStock === 0 ? 'danger' : 'pending') : isSold ? 'done' : 'plain'}>{state}</StateChip>}
    >
      <div className="px-4 py-3">
        <p className="tabular text-title leading-tight font-bold">{inStock.toLocaleString('en')}</p>
        <p className="text-small text-muted">in stock, worth {moneyText(value)}</p>
        <dl className="mt-3 grid grid-cols-[1fr_auto] gap-y-0.5 text-small">
          <dt className="text-muted">Sold this week</dt>
          <dd className="tabular">{soldWeek.toLocaleString('en')}</dd>
          <dt className="text-muted">Sold in all</dt>
          <dd className="tabular">{sold.toLocaleString('en')}</dd>
          <dt className="text-muted">Replaced</dt>
          <dd className="tabular">{replaced.toLocaleString('en')}</dd>
          <dt className="text-muted">We tell you below</dt>
          <dd className="tabular">{lowStock.toLocaleString('en')}</dd>
        </dl>
        <p className="mt-2 truncate text-small text-muted">{new URL(portal).host}</p>
        <div className="mt-3 flex gap-2">
          <Button variant="secondary" size="compact" className="flex-1" onClick={onChange}>
            Change
          </Button>
          <Button variant="secondary" size="compact" className="flex-1" disabled={onImport === null} onClick={() => onImport?.()}>
            Import
          </Button>
        </div>
      </div>
    </Card>
  )
}

function Packages({ packages, kinds, ready }: { packages: readonly CheckerPackage[]; kinds: readonly CheckerKind[]; ready: boolean }) {
  const [busy, setBusy] = useState(false)
  const save = async (line: CheckerPackage, kind: string | null, units: number) => {
    const empty = kind !== null && kinds.find((one) => one.kind === kind)?.inStock === 0
    if (empty) {
      const yes = await confirmAction({
        about: aboutReply(stockQuery, ({ kinds: now, packages: of }) => [
          now.find((one) => one.kind === kind)?.inStock,
          of.find(({ productId, offer }) => productId === line.productId && offer === line.offer),
        ]),
        question: `Sell ${line.offer} from an empty stock?`,
        title: 'Sell from the stock',
        details: 'Customers see it as out of stock until you import some.',
      })
      if (!yes) return
    }
    setBusy(true)
    try {
      await call('PUT /admin/checkers/packages', { body: { productId: line.productId, offer: line.offer, kind, units } })
      toast.success(kind === null ? `${line.offer} is processed by hand from now on` : `${line.offer} is sold from the stock`)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
      refreshStock()
    }
  }
  return (
    <Card title="What is sold from the stock">
      {packages.length === 0 ? (
        <p className="px-4 py-3 text-muted">There is no product of the network WAEC Checkers. Add one under Prices.</p>
      ) : (
        <ul className="divide-y divide-line">
          {packages.map((line) => (
            <li key={`${line.productId} ${line.offer}`} className="grid items-end gap-2 px-4 py-3 sm:grid-cols-[1fr_14rem_8rem] sm:gap-3">
              <p className="self-center font-semibold break-words">
                {line.offer}
                {line.hidden && <span className="font-normal text-muted"> (hidden)</span>}
              </p>
              <SelectField
                label={`${line.offer} is sold from`}
                hideLabel
                value={line.kind ?? ''}
                disabled={busy || (!ready && line.kind === null)}
                onChange={(event) => void save(line, event.currentTarget.value || null, line.units)}
              >
                <option value="">By hand</option>
                {kinds.map(({ kind, name }) => (
                  <option key={kind} value={kind}>
                    {name} stock
                  </option>
                ))}
              </SelectField>
              <SelectField
                label={`Codes of each ${line.offer}`}
                hideLabel
                value={String(line.units)}
                disabled={busy || line.kind === null}
                onChange={(event) => void save(line, line.kind, Number(event.currentTarget.value))}
              >
                {UNITS.map((units) => (
                  <option key={units} value={units}>
                    {counted(units, 'code')}
                  </option>
                ))}
              </SelectField>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Imports({ imports, kinds }: { imports: readonly CheckerImport[]; kinds: readonly CheckerKind[] }) {
  const [busy, setBusy] = useState<string | null>(null)
  const nameOf = (kind: string) => kinds.find((one) => one.kind === kind)?.name ?? kind
  const [shown, setShown] = useState<CheckerImport | null>(null)
  const takeBack = async (made: CheckerImport) => {
    const yes = await confirmAction({
      about: aboutReply(stockQuery, (now) => now.imports.find(({ _id }) => _id === made._id)),
      question: `Take import ${made.number} back?`,
      title: 'Take it back',
      details: `${counted(made.codes, 'code')} for ${moneyText(made.codes * made.unitCost)} leave the stock and the books. You may import them again.`,
      danger: true,
    })
    if (!yes) return
    setBusy(made._id)
    try {
      toast.success((await call('POST /admin/checkers/imports/:id/take-back', { params: { id: made._id } })).message)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(null)
      refreshStock()
    }
  }
  return (
    <Card title="Imports">
      {imports.length === 0 ? (
        <p className="px-4 py-3 text-muted">Nothing was imported yet.</p>
      ) : (
        <ul className="divide-y divide-line">
          {imports.map((made) => (
            <li key={made._id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3">
              <div className="min-w-0">
                <p className="font-semibold break-words">
                  {made.number}:{' '}
                  {counted(made.codes, nameOf(made.kind) === 'School placement' ? 'placement code' : `${nameOf(made.kind)} checker`)} from{' '}
                  {made.distributor}
                </p>
                <p className="text-small break-words text-muted">
                  {formatDateTime(new Date(made.importedAt))}
                  {made.importedBy && ` by ${made.importedBy}`} · {moneyText(made.unitCost)} each · {made.sold.toLocaleString('en')} sold
                  {made.voided > 0 && ` · ${made.voided.toLocaleString('en')} voided`}
                  {made.fileName && ` · ${made.fileName}`}
                </p>
              </div>
              {made.takenBackAt ? (
                <StateChip>Taken back</StateChip>
              ) : (
                <div className="flex flex-wrap gap-2">
                  <Button variant="secondary" size="compact" aria-label={`Codes of import ${made.number}`} onClick={() => setShown(made)}>
                    Codes…
                  </Button>
                  {made.sold === 0 && made.voided === 0 && (
                    <Button variant="secondary" size="compact" busy={busy === made._id} onClick={() => void takeBack(made)}>
                      Take back
                    </Button>
                  )}
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {shown && (
        <Suspense fallback={null}>
          <ImportCodes made={shown} name={nameOf(shown.kind)} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </Card>
  )
}
