import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { readTypedId, TYPED_ID } from '../../../../shared/claim-rules.ts'
import type { Claim } from '../../../../shared/claims.ts'
import { call } from '../../../lib/api.ts'
import { refreshSoon } from '../../../lib/query-client.ts'
import { session } from '../../../lib/session.ts'
import { parseFields, useForm } from '../../../lib/use-form.ts'
import { claimTexts as texts } from '../../../texts/claims.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { moneyText } from '../../../ui/money.tsx'
import { LoadError } from '../../../ui/notice-box.tsx'
import { toast } from '../../../ui/toast.ts'

const EVERY_MS = 5_000

/** Finds a payment that was sent without a reference, by its transaction ID, and says what became of it. */
export default function ClaimForm() {
  const client = useQueryClient()
  const userId = session.use()?._id
  /** A phone's keys for digits have none. */
  const [letters, setLetters] = useState(false)
  const queryKey = ['claims', userId]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call('GET /claim', { signal }),
    refetchInterval: ({ state }) => (state.data?.some(({ state: is }) => is === 'checking') ? EVERY_MS : false),
  })
  useNewsOf(data)
  const form = useForm({
    initial: { transactionId: '' },
    draft: { form: 'claim', fields: ['transactionId'] },
    parse: ({ transactionId }) => {
      const id = readTypedId(transactionId)
      return parseFields({ transactionId: TYPED_ID.test(id) ? null : texts.notAnId }, () => ({ transactionId: id }))
    },
    submit: async (body) => {
      const { claim } = await call('POST /claim', { body })
      if (claim.state === 'checking') toast.info(texts.looking)
      form.reset()
      await client.invalidateQueries({ queryKey })
    },
  })
  return (
    <>
      <form {...form.props} className="flex flex-col gap-3 pt-1">
        <p className="text-small text-muted">{texts.why}</p>
        <Field
          {...form.field('transactionId')}
          label={texts.id}
          hint={texts.idHint}
          inputMode={letters ? 'text' : 'numeric'}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          maxLength={30}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="secondary" busy={form.busy}>
            {texts.find}
          </Button>
          {!letters && (
            <Button variant="quiet" className="px-2! lg:hidden" onClick={() => setLetters(true)}>
              {texts.hasLetters}
            </Button>
          )}
        </div>
        {form.formError && (
          <p role="alert" className="text-body text-danger">
            {form.formError}
          </p>
        )}
      </form>
      {error && !data && (
        <div className="mt-3">
          <LoadError what={texts.couldNotLoad} error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data && data.length > 0 && (
        <ul aria-label={texts.list} aria-live="polite" className="mt-3 divide-y divide-line">
          {data.map(({ _id, transactionId, state, amount }) => (
            <li key={_id} className="py-2 text-small">
              <span className="tabular font-semibold break-words">{transactionId}</span>
              <span className={TONES[state]}> {amount === null ? texts.states[state] : texts.found(moneyText(amount))}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const TONES: Record<Claim['state'], string> = {
  checking: 'text-pending',
  credited: 'text-done',
  taken: 'text-danger',
  expired: 'text-danger',
}

/** Says once that a payment was found, and shows it in the statement. */
function useNewsOf(claims: readonly Claim[] | undefined) {
  const checking = useRef(new Set<string>())
  useEffect(() => {
    for (const { _id, state, amount } of claims ?? []) {
      if (state === 'checking') checking.current.add(_id)
      else if (checking.current.delete(_id) && state === 'credited' && amount !== null) {
        toast.success(texts.found(moneyText(amount)))
        refreshSoon(['statement'], ['recharges'])
      }
    }
  }, [claims])
}
