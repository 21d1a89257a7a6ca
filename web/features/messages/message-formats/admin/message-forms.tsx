import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatDateTime } from '../../../../../shared/dates.ts'
import {
  FORMAT_KINDS,
  FORMAT_NETWORKS,
  type FormatDraft,
  type FormatNetwork,
  type ShownFormat,
} from '../../../../../shared/message-format-endpoints.ts'
import { hasRole } from '../../../../../shared/staff-rules.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { session } from '../../../../lib/session.ts'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { formatsQuery, refreshFormats } from './api.ts'
import { FormDialog } from './form-dialog.tsx'
import { KIND_WORDS, ORIGIN_WORDS } from './format-words.ts'
import { TryMessage } from './try-message.tsx'
import { wordsOfMessage } from './words-of-message.ts'

type Open = { initial: FormatDraft; version: number; isNew: boolean }

/** How payment messages read: what no form knew, a message to try, and every form, which the owner changes. */
export function MessageForms() {
  const { data, error, refetch } = useQuery(formatsQuery)
  const mayChange = hasRole({ roles: session.use()?.roles ?? ['owner'] }, 'owner')
  const [open, setOpen] = useState<Open | null>(null)
  const [busy, setBusy] = useState(false)
  const writeFrom = (text: string, network: FormatNetwork = 'MTN') => {
    const initial: FormatDraft = {
      network,
      name: '',
      kind: 'credit',
      words: wordsOfMessage(text),
      senders: [],
      samples: [text.trim()],
      on: true,
    }
    setOpen({ initial, version: 0, isNew: true })
  }
  const readAgain = async () => {
    setBusy(true)
    try {
      const { read, understood } = await withPassword(() => call('POST /forwarder/read-again'))
      refreshFormats()
      if (understood > 0) toast.success(`${understood} of ${read} understood now.`)
      else toast.info('Still none of them is understood.')
    } catch (refused) {
      toast.danger(messageOf(refused))
    } finally {
      setBusy(false)
    }
  }
  if (error && !data) return <LoadError what="The forms" error={error} onRetry={() => void refetch()} />
  if (!data) {
    return (
      <Loading>
        <Skeleton className="h-72" />
      </Loading>
    )
  }
  const { formats, unread } = data
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <Link href="/admin/finance/phones" className="inline-flex min-h-11 items-center gap-1.5 self-start font-semibold text-brand-text">
        <ArrowLeft className="size-5" aria-hidden="true" />
        Phones
      </Link>
      <RefreshProblem error={error} onRetry={() => void refetch()} />
      <Card title="Not understood" state={unread.length > 0 && <StateChip tone="pending">{unread.length}</StateChip>}>
        {unread.length === 0 ? (
          <p className="px-4 py-3 text-body text-muted">Every payment message of the last 30 days was understood.</p>
        ) : (
          <>
            <p className="px-4 pt-3 text-body text-muted">
              A network writes in new words now and then. Write the form down once, and such messages are understood from then on.
            </p>
            <ul className="divide-y divide-line">
              {unread.map(({ id, text, network, receivedAt, waiting }) => (
                <li key={id} className="flex flex-col gap-2 px-4 py-3">
                  <blockquote className="rounded-box bg-sunken px-3 py-2 text-small break-words whitespace-pre-wrap">{text}</blockquote>
                  <div className="flex flex-wrap items-center justify-between gap-2">
                    <span className="text-small text-muted">
                      {formatDateTime(new Date(receivedAt))}
                      {!waiting && ', decided by a person'}
                    </span>
                    {mayChange && (
                      <Button
                        variant="secondary"
                        onClick={() =>
                          writeFrom(
                            text,
                            FORMAT_NETWORKS.find((one) => one === network),
                          )
                        }
                      >
                        Write a form from it
                      </Button>
                    )}
                  </div>
                </li>
              ))}
            </ul>
            {mayChange && unread.some(({ waiting }) => waiting) && (
              <div className="border-t border-line px-4 py-3">
                <Button busy={busy} busyLabel="Reading…" onClick={() => void readAgain()}>
                  Read what waits again
                </Button>
              </div>
            )}
          </>
        )}
      </Card>
      <TryMessage onWrite={mayChange ? writeFrom : null} />
      {FORMAT_NETWORKS.map((network) => (
        <Card key={network} title={network}>
          <ul className="divide-y divide-line">
            {formats
              .filter((format) => format.network === network)
              .map((format) => (
                <FormRow key={`${format.origin} ${format.name}`} format={format} mayChange={mayChange} onOpen={setOpen} />
              ))}
          </ul>
        </Card>
      ))}
      {mayChange && (
        <Button className="self-start" onClick={() => writeFrom('')}>
          Write a form
        </Button>
      )}
      <p className="text-small text-muted">
        Fakes, codes and loans are known whoever sends them; that can’t be switched off. What a form reads is only credited by itself when
        its balance follows from the message before.
      </p>
      {open && <FormDialog {...open} onClose={() => setOpen(null)} onSaved={() => setOpen(null)} />}
    </div>
  )
}

function FormRow({ format, mayChange, onOpen }: { format: ShownFormat; mayChange: boolean; onOpen: (open: Open) => void }) {
  const { network, name, kind, origin, on, sure, words, senders, samples, version, changedAt, changedBy } = format
  const [busy, setBusy] = useState(false)
  const ownKind = FORMAT_KINDS.find((one) => one === kind) ?? 'other'
  const draft: FormatDraft = { network, name, kind: ownKind, words, senders, samples, on }
  const put = async (change: Partial<FormatDraft>) => {
    setBusy(true)
    try {
      await withPassword(() =>
        call('PUT /message-format', { body: { ...draft, samples: words === null ? [] : samples, ...change, version } }),
      )
      refreshFormats()
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const switchOff = async () => {
    const yes = await confirmAction({
      question: `Switch “${name}” off?`,
      details: 'Messages of this kind are not understood any more, and wait for you.',
      yes: 'Switch off',
    })
    if (yes) await put({ on: false })
  }
  const restore = async () => {
    const yes = await confirmAction({
      question: `Restore “${name}”?`,
      details: 'It reads again as it came with the shop. Your own words stay among its earlier versions.',
      yes: 'Restore',
    })
    if (yes) await put({ on: true, words: null, samples: [], senders: [] })
  }
  const edit = () =>
    onOpen({
      initial: { ...draft, on: true, words: words ?? wordsOfMessage(samples[0] ?? ''), samples: samples.length > 0 ? samples : [''] },
      version,
      isNew: false,
    })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-0">
        <p className="font-semibold break-words">
          {name} {!on && <StateChip>Off</StateChip>} {!sure && <StateChip tone="pending">Always waits for you</StateChip>}
        </p>
        <p className="text-small text-muted">
          {KIND_WORDS[kind]} · {ORIGIN_WORDS[origin]}
          {changedBy && changedAt && ` · ${changedBy}, ${formatDateTime(new Date(changedAt))}`}
        </p>
      </div>
      {mayChange && origin !== 'server' && (
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={edit}>
            Change
          </Button>
          {origin === 'changed' && (
            <Button variant="secondary" busy={busy} onClick={() => void restore()}>
              Restore
            </Button>
          )}
          {on ? (
            <Button variant="secondary" busy={busy} onClick={() => void switchOff()}>
              Switch off
            </Button>
          ) : (
            words !== null && (
              <Button variant="secondary" busy={busy} onClick={() => void put({ on: true })}>
                Switch on
              </Button>
            )
          )}
        </div>
      )}
    </li>
  )
}
