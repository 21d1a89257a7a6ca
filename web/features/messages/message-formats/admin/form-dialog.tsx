import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { formatDateTime } from '../../../../../shared/dates.ts'
import {
  FORMAT_KINDS,
  FORMAT_NETWORKS,
  type FormatDraft,
  type FormatKind,
  type FormatNetwork,
  MOST_SAMPLES,
  type ShownFormat,
} from '../../../../../shared/message-format-endpoints.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { useDebounced } from '../../../../lib/use-debounced.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field, SelectField, TextareaField } from '../../../../ui/field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { refreshFormats, triedQuery, versionsQuery } from './api.ts'
import { KIND_WORDS } from './format-words.ts'
import { UnderstoodMessage } from './understood-message.tsx'

type Props = { initial: FormatDraft; version: number; isNew: boolean; onClose: () => void; onSaved: () => void }

/** A form being written: its words, and beside each sample what they make of it. It cannot be saved while a sample is not read. */
export function FormDialog({ initial, version, isNew, onClose, onSaved }: Props) {
  const id = useId()
  const [draft, setDraft] = useState(initial)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const settled = useDebounced(draft, 400)
  const isWhole = settled.name.trim() !== '' && settled.words?.trim() !== '' && settled.samples.every((text) => text.trim().length >= 10)
  const { data, error, isFetching } = useQuery({ ...triedQuery(settled), enabled: isWhole })
  const tried = isWhole ? data : undefined
  const problems = tried?.problems ?? []
  const change = (part: Partial<FormatDraft>) => {
    setRefusal(null)
    setDraft({ ...draft, ...part })
  }
  const missing =
    draft.name.trim() === ''
      ? 'a name'
      : draft.words?.trim() === ''
        ? 'its words'
        : draft.samples.some((text) => text.trim().length < 10)
          ? 'a whole message in each box above'
          : null
  const problemAt = (path: string) => problems.find((one) => one.path === path)?.message
  const isReady = tried !== undefined && problems.length === 0 && settled === draft && !isFetching
  const save = async () => {
    setBusy(true)
    try {
      await withPassword(() => call('PUT /message-format', { body: { ...draft, version } }))
      refreshFormats()
      toast.success('Saved. It counts for the next message.')
      onSaved()
    } catch (refused) {
      setRefusal(messageOf(refused))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      wide
      title={isNew ? 'A new form' : draft.name}
      onClose={onClose}
      unsaved={JSON.stringify(draft) !== JSON.stringify(initial)}
      yes={{ type: 'submit', form: id, busy, busyLabel: 'Saving…', disabled: !isReady, children: 'Save' }}
    >
      <form
        id={id}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !busy) void save()
        }}
      >
        {refusal && <NoticeBox tone="danger">{refusal}</NoticeBox>}
        {isNew && (
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Name" maxLength={60} value={draft.name} onChange={(event) => change({ name: event.target.value })} />
            <SelectField
              label="Network"
              value={draft.network}
              onChange={(event) => change({ network: event.target.value as FormatNetwork })}
            >
              {FORMAT_NETWORKS.map((network) => (
                <option key={network}>{network}</option>
              ))}
            </SelectField>
          </div>
        )}
        <SelectField
          label="What is such a message about?"
          value={draft.kind}
          onChange={(event) => change({ kind: event.target.value as FormatKind })}
        >
          {FORMAT_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {KIND_WORDS[kind]}
            </option>
          ))}
        </SelectField>
        <TextareaField
          label="Its words"
          rows={4}
          maxLength={1_000}
          value={draft.words ?? ''}
          error={problemAt('words') ?? problemAt('on')}
          hint="Where the message changes, write {amount}, {payer}, {phone}, {reference}, {id}, {balance}, {fee}, {agent} for who took the cash, or {any}. With {balance} a payment can be credited by itself. Spaces and capitals don’t matter, nor what comes after the end."
          onChange={(event) => change({ words: event.target.value })}
        />
        <fieldset className="flex flex-col gap-4">
          <legend className="mb-1 font-semibold">Messages that it must read</legend>
          <p className="-mb-2 text-small text-muted">
            Copy genuine ones. You may change names and digits in them, as long as the shape stays.
          </p>
          {draft.samples.map((text, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: samples have no other name, and only the last is removed.
            <div key={at} className="flex flex-col gap-2">
              <TextareaField
                label={`Message ${at + 1}`}
                rows={3}
                maxLength={2_000}
                value={text}
                error={text === settled.samples[at] ? problemAt(`samples.${at}`) : undefined}
                onChange={(event) => change({ samples: draft.samples.with(at, event.target.value) })}
              />
              {tried?.samples[at] && text === settled.samples[at] && (
                <div className="rounded-box bg-sunken px-3 py-2">
                  <UnderstoodMessage reading={tried.samples[at]} />
                </div>
              )}
            </div>
          ))}
          {problemAt('samples') && <p className="text-small font-medium text-danger">{problemAt('samples')}</p>}
          <div className="flex flex-wrap gap-2">
            {draft.samples.length < MOST_SAMPLES && (
              <Button variant="secondary" onClick={() => change({ samples: [...draft.samples, ''] })}>
                Add a message
              </Button>
            )}
            {draft.samples.length > 1 && (
              <Button variant="secondary" onClick={() => change({ samples: draft.samples.slice(0, -1) })}>
                Remove the last
              </Button>
            )}
          </div>
        </fieldset>
        <Field
          label="Other names that such messages come under"
          hint="With commas between. MobileMoney, T-CASH and the like are known."
          maxLength={120}
          value={draft.senders.join(',')}
          error={problemAt('senders')}
          onChange={(event) => change({ senders: event.target.value === '' ? [] : event.target.value.split(',') })}
        />
        {missing && (
          <p role="status" className="text-small text-muted">
            Still missing: {missing}. Then we show what it reads.
          </p>
        )}
        {error && isWhole && <NoticeBox tone="danger">{messageOf(error)}</NoticeBox>}
        {!isNew && version > 0 && <Versions draft={draft} onUse={(words, samples) => change({ words, samples })} />}
      </form>
    </Dialog>
  )
}

function Versions({ draft: { network, name }, onUse }: { draft: FormatDraft; onUse: (words: string, samples: string[]) => void }) {
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery({ ...versionsQuery(network, name), enabled: isOpen })
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold text-brand-text">Earlier versions</summary>
      <ul className="divide-y divide-line">
        {data?.map(({ version, changedAt, changedBy, words, on, samples }: ShownFormat) => (
          <li key={version} className="flex flex-col gap-1 py-2 text-small">
            <span className="text-muted">
              {version}. {changedBy}, {changedAt && formatDateTime(new Date(changedAt))}
              {!on && ', switched off'}
            </span>
            <span className="break-words">{words ?? 'As it came with the shop'}</span>
            {words !== null && (
              <Button variant="secondary" className="self-start" onClick={() => onUse(words, samples)}>
                Use these words
              </Button>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
