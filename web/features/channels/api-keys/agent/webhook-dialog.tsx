import type { WebhookEvent } from '../../../../../shared/webhook-rules.ts'
import type { WebhookEndpoint } from '../../../../../shared/webhooks.ts'
import { parseFields, useForm } from '../../../../lib/use-form.ts'
import { developerTexts } from '../../../../texts/developer.ts'
import { Chip, ChipRow } from '../../../../ui/chip.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { useSaveWebhook } from './api.ts'
import { ChoiceList } from './choice-list.tsx'

const EVENTS = Object.keys(developerTexts.events) as WebhookEvent[]
const FORM = 'webhook'

type Props = { webhook: WebhookEndpoint | null; onClose: () => void; onSaved: (made: { url: string; secret: string } | null) => void }

/** Where events go, and which; null makes a new webhook. */
export function WebhookDialog({ webhook, onClose, onSaved }: Props) {
  const save = useSaveWebhook(webhook?._id ?? null)
  const form = useForm({
    initial: { url: webhook?.url ?? '', events: webhook?.events ?? EVENTS, test: webhook?.isTest ?? false },
    parse: ({ url, events, test }) =>
      parseFields(
        {
          url: /^https?:\/\/./.test(url.trim()) ? null : developerTexts.urlNeeded,
          events: events.length === 0 ? developerTexts.scopeNeeded : null,
        },
        () => ({ url: url.trim(), events, test }),
      ),
    fieldAt: (path) => path.split('.')[0] ?? path,
    submit: async (wanted) => {
      const { endpoint, secret } = await save.mutateAsync(wanted)
      onSaved(secret === null ? null : { url: endpoint.url, secret })
    },
  })
  const { test, events } = form.values
  return (
    <Dialog
      title={webhook ? developerTexts.changeWebhook : developerTexts.newWebhook}
      onClose={onClose}
      yes={{ type: 'submit', form: FORM, busy: form.busy, children: developerTexts.save }}
    >
      <form {...form.props} id={FORM} className="flex flex-col gap-4">
        <Field
          {...form.field('url')}
          label={developerTexts.url}
          hint={developerTexts.urlHint}
          type="url"
          inputMode="url"
          maxLength={500}
          autoComplete="off"
        />
        {!webhook && (
          <ChipRow label={developerTexts.kind}>
            <Chip selected={!test} onClick={() => form.setValue('test', false)}>
              {developerTexts.liveOrders}
            </Chip>
            <Chip selected={test} onClick={() => form.setValue('test', true)}>
              {developerTexts.testOrders}
            </Chip>
          </ChipRow>
        )}
        <ChoiceList
          label={developerTexts.hearOf}
          choices={EVENTS.map((event) => ({ value: event, words: developerTexts.events[event], code: event }))}
          chosen={events}
          onChosen={(next) => form.setValue('events', next)}
          error={form.errors.events}
        />
        {form.formError && (
          <p role="alert" className="text-body text-danger">
            {form.formError}
          </p>
        )}
      </form>
    </Dialog>
  )
}
