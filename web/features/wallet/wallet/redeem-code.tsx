import { call } from '../../../lib/api.ts'
import { refreshSoon } from '../../../lib/query-client.ts'
import { parseFields, useForm } from '../../../lib/use-form.ts'
import { walletTexts as texts } from '../../../texts/wallet.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { moneyText } from '../../../ui/money.tsx'
import { toast } from '../../../ui/toast.ts'

/** Puts the refund of a purchase without an account into this wallet, by its code. */
export function RedeemCode() {
  const form = useForm({
    initial: { code: '' },
    parse: ({ code }) => parseFields({ code: code.replace(/[^a-z0-9]/gi, '').length === 12 ? null : texts.typeCode }, () => ({ code })),
    submit: async (body) => {
      const { amount } = await call('POST /refund-codes', { body })
      toast.success(texts.codeUsed(moneyText(amount)))
      form.reset()
      refreshSoon(['statement'])
    },
  })
  return (
    <details>
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold text-brand-text">{texts.haveCode}</summary>
      <form {...form.props} className="flex flex-col gap-3 pt-2">
        <Field
          {...form.field('code')}
          label={texts.code}
          hint={texts.codeHint}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
        />
        <Button type="submit" variant="secondary" busy={form.busy} className="self-start">
          {texts.useCode}
        </Button>
        {form.formError && (
          <p role="alert" className="text-body text-danger">
            {form.formError}
          </p>
        )}
      </form>
    </details>
  )
}
