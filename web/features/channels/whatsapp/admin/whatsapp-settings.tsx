import { useQuery } from '@tanstack/react-query'
import type { ChannelRules } from '../../../../../shared/channels.ts'
import { formatDateTime } from '../../../../../shared/dates.ts'
import { toCedis } from '../../../../../shared/money.ts'
import { isMobilePhone, normalisePhone, spacedPhone, TEN_DIGITS } from '../../../../../shared/phones.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import type { AdminWhatsapp, WhatsappMessage, WhatsappStatus } from '../../../../../shared/whatsapp.ts'
import { capitalised } from '../../../../lib/admin/words.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { queryClient } from '../../../../lib/query-client.ts'
import { only, parseFields, useForm } from '../../../../lib/use-form.ts'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import type { RowTone } from '../../../../ui/admin/row.tsx'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Field } from '../../../../ui/field.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { SwitchField } from '../../../../ui/switch-field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { adminWhatsappQuery, refreshAdminWhatsapp, whatsappRulesQuery } from './api.ts'

const STATES: Record<WhatsappStatus, { word: string; tone: RowTone }> = {
  waiting: { word: 'Waiting', tone: 'pending' },
  sending: { word: 'Sending', tone: 'pending' },
  sent: { word: 'Sent', tone: 'plain' },
  failed: { word: 'Not delivered', tone: 'danger' },
  unknown: { word: 'Not sure', tone: 'pending' },
  'over-cap': { word: 'Over the cap', tone: 'danger' },
  'left-out': { word: 'Left out', tone: 'plain' },
}
const KINDS = {
  reply: 'Answer',
  delivered: 'News: delivered',
  refunded: 'News: refunded',
  test: 'Test',
  unnumbered: 'Somebody without a number',
} as const

/** The shop's WhatsApp number: how it is set up, the day's messages, and whether a message arrives. */
export function WhatsappSettings() {
  const { data, error, refetch } = useQuery(adminWhatsappQuery)
  const rules = useQuery(whatsappRulesQuery)
  const failed = error ?? rules.error
  const retry = () => void Promise.all([refetch(), rules.refetch()])
  if ((!data || !rules.data) && failed) return <LoadError what="WhatsApp" error={failed} onRetry={retry} />
  if (!data || !rules.data) {
    return (
      <Loading label="Loading WhatsApp…">
        <Skeleton className="h-72" />
      </Loading>
    )
  }
  const { isSetUp, number, webhookUrl, usedToday, settings } = data
  return (
    <Card title="WhatsApp" state={<StateChip tone={isSetUp ? 'done' : 'plain'}>{isSetUp ? spacedPhone(number) : 'Not set up'}</StateChip>}>
      <div className="flex flex-col gap-4 px-4 py-3">
        {!isSetUp && (
          <NoticeBox>
            Ask whoever runs the server to follow “WhatsApp” in docs/going-live.md. It takes a number that no phone uses.
          </NoticeBox>
        )}
        <RulesForm rules={rules.data} />
        <p className="text-body text-muted">
          Webhook at Meta: <span className="break-all text-ink">{webhookUrl}</span>
        </p>
        <p className="text-body text-muted">
          {usedToday} of {settings.dailyCap} messages used today. Meta charges for messages, answers included.
        </p>
        <SettingsForm settings={settings} />
        {isSetUp && <TestForm />}
        <Messages messages={data.messages} />
      </div>
    </Card>
  )
}

/** The switch takes effect at once, as customers are told; the limits are saved. */
function RulesForm({ rules }: { rules: ChannelRules }) {
  const put = (body: Partial<ChannelRules>) => call('PUT /admin/channel/:channel', { params: { channel: 'whatsapp' }, body })
  const turn = async (isOn: boolean) => {
    const question = isOn ? 'Let customers buy on WhatsApp?' : 'Stop buying on WhatsApp?'
    if (!(await confirmAction({ question, title: 'WhatsApp', yes: isOn ? 'Yes, switch it on' : 'Yes, switch it off' }))) return
    try {
      await put({ isOn })
      refreshAdminWhatsapp()
    } catch (problem) {
      toast.danger(messageOf(problem))
    }
  }
  const form = useForm({
    follows: true,
    draft: { form: 'whatsapp limits', fields: ['mostPerOrder', 'mostPerDay'] },
    initial: { mostPerOrder: String(rules.mostPerOrder), mostPerDay: String(rules.mostPerDay) },
    parse: ({ mostPerOrder, mostPerDay }) => {
      const amounts = { mostPerOrder: pesewasIn(mostPerOrder), mostPerDay: pesewasIn(mostPerDay) }
      const problem = (pesewas: number | null) =>
        pesewas === null || pesewas < 100 || pesewas > 1_000_000 ? 'Enter at least 1 cedi and at most 10,000.' : null
      return parseFields({ mostPerOrder: problem(amounts.mostPerOrder), mostPerDay: problem(amounts.mostPerDay) }, () => {
        return { mostPerOrder: toCedis(amounts.mostPerOrder ?? 0), mostPerDay: toCedis(amounts.mostPerDay ?? 0) }
      })
    },
    submit: async (body, _, changed) => {
      queryClient.setQueryData(whatsappRulesQuery.queryKey, await put(only(body, changed)))
      refreshAdminWhatsapp()
      toast.success('The limits were saved.')
    },
  })
  return (
    <form {...form.props} aria-label="Buying on WhatsApp" className="flex flex-col gap-4">
      <SwitchField
        name="whatsapp-on"
        label="Customers can buy on WhatsApp"
        hint="From their wallet, with their PIN, once they have connected their number under My account."
        checked={rules.isOn}
        onValue={(isOn) => void turn(isOn)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <MoneyField {...form.valueField('mostPerOrder')} label="Most for one order, in cedis" />
        <MoneyField {...form.valueField('mostPerDay')} label="Most for one customer in a day, in cedis" />
      </div>
      {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
      <Button type="submit" variant="secondary" busy={form.busy} className="self-start">
        Save limits
      </Button>
    </form>
  )
}

function SettingsForm({ settings }: { settings: AdminWhatsapp['settings'] }) {
  const form = useForm({
    follows: true,
    draft: { form: 'whatsapp messages', fields: ['dailyCap', 'template', 'templateLanguage'] },
    initial: { dailyCap: String(settings.dailyCap), template: settings.template ?? '', templateLanguage: settings.templateLanguage },
    parse: ({ dailyCap, template, templateLanguage }) => {
      const problems = {
        dailyCap: /^\d{1,6}$/.test(dailyCap.trim()) && Number(dailyCap) <= 100_000 ? null : 'Enter a whole number from 0 to 100000.',
        template: /^[a-z0-9_]{0,512}$/.test(template.trim()) ? null : 'Enter the name as it is at Meta: small letters, digits and _.',
        templateLanguage: /^[a-z]{2,3}(_[A-Z]{2})?$/.test(templateLanguage.trim()) ? null : 'Enter a language such as en or en_GB.',
      }
      return parseFields(problems, () => {
        return { dailyCap: Number(dailyCap), template: template.trim() || null, templateLanguage: templateLanguage.trim() }
      })
    },
    submit: async (body, _, changed) => {
      await call('PUT /admin/whatsapp', { body: only(body, changed) })
      await queryClient.refetchQueries({ queryKey: adminWhatsappQuery.queryKey })
      toast.success('WhatsApp was saved.')
    },
  })
  return (
    <form {...form.props} aria-label="WhatsApp messages" className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-3">
        <Field {...form.field('dailyCap')} label="Most messages a day" inputMode="numeric" maxLength={6} />
        <Field
          {...form.field('template')}
          label="Approved message"
          hint="For news after 24 hours. It has three gaps: order number, what was bought, what became of it. Empty: no such news."
          maxLength={512}
          autoComplete="off"
          spellCheck={false}
        />
        <Field {...form.field('templateLanguage')} label="Its language" maxLength={6} autoComplete="off" spellCheck={false} />
      </div>
      {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
      <Button type="submit" variant="secondary" busy={form.busy} className="self-start">
        Save messages
      </Button>
    </form>
  )
}

function TestForm() {
  const form = useForm({
    initial: { phone: '' },
    parse: ({ phone }) =>
      parseFields({ phone: isMobilePhone(normalisePhone(phone)) ? null : TEN_DIGITS }, () => ({ phone: normalisePhone(phone) })),
    submit: async (body) => {
      const { message } = await call('POST /admin/whatsapp/test', { body })
      toast.success(message)
      refreshAdminWhatsapp()
    },
  })
  return (
    <form {...form.props} aria-label="Test message" className="flex flex-col items-start gap-3">
      <Field
        {...form.field('phone')}
        label="Test it with your own number"
        hint="Write “hi” to the shop’s number first: without that, only the approved message arrives."
        inputMode="tel"
        maxLength={16}
      />
      {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
      <Button type="submit" variant="secondary" busy={form.busy}>
        Send a test message
      </Button>
    </form>
  )
}

function Messages({ messages }: { messages: WhatsappMessage[] }) {
  if (messages.length === 0) return <p className="text-body text-muted">What the shop sends by WhatsApp will be here.</p>
  return (
    <ul aria-label="Newest messages" className="flex flex-col divide-y divide-line border-t border-line">
      {messages.map(({ _id, kind, phone, status, detail, createdAt, deliveredAt, readAt }) => {
        const { word, tone } =
          kind === 'unnumbered'
            ? { word: 'Not answered', tone: 'pending' as const }
            : readAt
              ? { word: 'Read', tone: 'done' as const }
              : deliveredAt && status === 'sent'
                ? { word: 'Delivered', tone: 'done' as const }
                : STATES[status]
        return (
          <li key={_id} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2">
            <span className="min-w-0">
              <span className="font-semibold">{KINDS[kind]}</span> <span className="tabular">{phone}</span>{' '}
              <span className="text-small text-muted">{formatDateTime(new Date(createdAt))}</span>
              {kind === 'unnumbered' && (
                <span className="block text-small break-words text-muted">
                  WhatsApp hides their number, so they can’t buy in the chat. They can buy at the store with any phone number.
                </span>
              )}
              {detail && <span className="block text-small break-words text-muted">{capitalised(detail)}</span>}
            </span>
            <StateChip tone={tone}>{word}</StateChip>
          </li>
        )
      })}
    </ul>
  )
}
