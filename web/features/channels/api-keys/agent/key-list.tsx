import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { ApiKey } from '../../../../../shared/api-keys.ts'
import { formatLongDate, formatShortTime } from '../../../../../shared/dates.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { messageOf } from '../../../../lib/http.ts'
import { developerTexts } from '../../../../texts/developer.ts'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { keysQuery, useEndKey, useRotateKey } from './api.ts'
import { ModeWord } from './mode-word.tsx'
import { ShownOnce } from './shown-once.tsx'

const NewKeyDialog = lazy(async () => ({ default: (await import('./new-key-dialog.tsx')).NewKeyDialog }))

type Made = { name: string; isTest: boolean; secret: string }

/** The agent's keys, and the one that was just made. */
export function KeyList() {
  const { data, error, refetch } = useQuery(keysQuery)
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<Made | null>(null)
  const working = data?.filter(
    ({ endedAt, expiresAt }) => endedAt === null && (expiresAt === null || Date.parse(expiresAt) > shopNow().getTime()),
  )
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {made && (
        <ShownOnce
          title={
            <>
              {developerTexts.made(made.name)} <ModeWord isTest={made.isTest} />
            </>
          }
          secret={made.secret}
          copy={developerTexts.copyKey}
          onSaved={() => setMade(null)}
        />
      )}
      <section>
        <div className="flex min-h-11 items-center justify-between gap-3">
          <h2 className="text-large">{developerTexts.keys}</h2>
          <button
            type="button"
            onClick={() => setMaking(true)}
            className="inline-flex min-h-11 items-center gap-1 font-semibold text-brand-text"
          >
            <Plus className="size-4.5" aria-hidden="true" />
            {developerTexts.newKey}
          </button>
        </div>
        {error && !data ? (
          <LoadError what={developerTexts.keysOf} error={error} onRetry={() => void refetch()} />
        ) : !working ? (
          <Loading>
            <Skeleton className="h-48" />
          </Loading>
        ) : working.length === 0 ? (
          <EmptyState icon={<KeyRound />} title={developerTexts.noKeys}>
            {developerTexts.noKeysText}
          </EmptyState>
        ) : (
          <ul className="divide-y-2 divide-dotted divide-line overflow-hidden rounded-box border border-line bg-surface">
            {working.map((key) => (
              <KeyRow key={key._id} apiKey={key} onMade={setMade} />
            ))}
          </ul>
        )}
      </section>
      {isMaking && (
        <Suspense fallback={null}>
          <NewKeyDialog
            onClose={() => setMaking(false)}
            onMade={(next) => {
              setMaking(false)
              setMade(next)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

function KeyRow({ apiKey, onMade }: { apiKey: ApiKey; onMade: (made: Made) => void }) {
  const { _id, name, ending, scopes, addresses, isTest, isReplaced, lacksPin, createdAt, usedAt, expiresAt } = apiKey
  const rotate = useRotateKey()
  const end = useEndKey()
  const replace = async () => {
    const question = { question: developerTexts.rotateQuestion(name), details: developerTexts.rotateDetails, title: developerTexts.rotate }
    if (!(await confirmAction(question))) return
    try {
      onMade({ name, isTest, secret: (await rotate.mutateAsync(_id)).secret })
    } catch (error) {
      toast.danger(messageOf(error))
    }
  }
  const revoke = async () => {
    const question = { question: developerTexts.revokeQuestion(name), details: developerTexts.revokeDetails, title: developerTexts.revoke }
    if (!(await confirmAction({ ...question, danger: true }))) return
    try {
      await end.mutateAsync(_id)
      toast.success(developerTexts.revoked(name))
    } catch (error) {
      toast.danger(messageOf(error))
    }
  }
  const now = shopNow()
  const facts = [
    usedAt ? developerTexts.used(formatShortTime(new Date(usedAt), now)) : developerTexts.unused,
    isReplaced && expiresAt
      ? developerTexts.worksUntil(formatShortTime(new Date(expiresAt), now))
      : expiresAt && developerTexts.expiresAt(formatLongDate(new Date(expiresAt))),
    addresses.length > 0 && developerTexts.onlyFrom(addresses.join(', ')),
  ]
  return (
    <li className="p-3">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="wrap-anywhere">
            <b>{name}</b> <ModeWord isTest={isTest} />
          </p>
          <p className="mt-0.5 mb-1.5 font-mono text-small">{developerTexts.beginsAndEnds(isTest, ending)}</p>
        </div>
        <div className="flex shrink-0 flex-wrap justify-end gap-2">
          {!isReplaced && (
            <Button
              variant="secondary"
              busy={rotate.isPending}
              onClick={() => void replace()}
              aria-label={`${developerTexts.rotate} ${name}`}
            >
              {developerTexts.rotate}
            </Button>
          )}
          <Button variant="secondary" busy={end.isPending} onClick={() => void revoke()} aria-label={`${developerTexts.revoke} ${name}`}>
            {developerTexts.revoke}
          </Button>
        </div>
      </div>
      <p className="flex flex-wrap gap-1">
        {scopes.map((scope) => (
          <span key={scope} className="rounded-[5px] bg-sunken px-1.5 font-mono text-small leading-[1.375rem]">
            {scope}
          </span>
        ))}
      </p>
      <p className="mt-1.5 text-small text-muted wrap-anywhere">
        {developerTexts.madeAt(formatLongDate(new Date(createdAt)))} {facts.filter(Boolean).join(' ')}
        {isTest && ` ${developerTexts.testNote}`}
      </p>
      {lacksPin && <p className="mt-1.5 text-small text-pending">{developerTexts.lacksPin}</p>}
    </li>
  )
}
