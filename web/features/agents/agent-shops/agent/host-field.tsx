import { Globe } from 'lucide-react'
import type { OwnShop } from '../../../../../shared/agent-shops.ts'
import { messageOf, RefusedError } from '../../../../lib/http.ts'
import { myShopTexts as texts } from '../../../../texts/my-shop.ts'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Field } from '../../../../ui/field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useChangeShop } from './api.ts'

/** The agent's own web address for the shop, which the house approves first. Saved at once. */
export function HostField({ host, refused, house }: { host: OwnShop['host']; refused: OwnShop['refusedHost']; house: string }) {
  const change = useChangeShop()
  const save = async (name: string | null) => {
    try {
      await change.mutateAsync({ host: name })
      toast.success(name === null ? texts.hostGone : texts.hostAsked(house))
    } catch (error) {
      toast.danger(error instanceof RefusedError && error.issues[0] ? error.issues[0].message : messageOf(error))
    }
  }
  const ask = async () => {
    let name = host?.name ?? ''
    const yes = await confirmAction({
      question: texts.hostQuestion,
      title: texts.host,
      yes: texts.hostYes,
      details: (
        <Field
          label={texts.hostLabel}
          name="host"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          defaultValue={name}
          hint={texts.hostHint(location.hostname)}
          onChange={(event) => {
            name = event.currentTarget.value
          }}
        />
      ),
    })
    const wanted = name
      .trim()
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/\/.*$/, '')
    if (yes && wanted !== host?.name) await save(wanted)
  }
  const remove = async () => {
    if (await confirmAction({ question: texts.hostRemoveQuestion(host?.name ?? ''), details: texts.hostRemoveDetails, danger: true }))
      await save(null)
  }
  return (
    <section aria-label={texts.host}>
      <h3 className="mb-1 text-body font-semibold">{texts.host}</h3>
      <p className="mb-2 text-small text-muted">
        {host && <b className="block break-words text-body text-ink">{host.name}</b>}
        {host === null && refused && <b className="mb-1 block break-words text-danger">{texts.hostRefused(refused, house)}</b>}
        {host === null ? texts.noHost(house) : host.approved ? texts.hostApproved : texts.hostWaits(house)}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          busy={change.isPending}
          icon={<Globe className="size-4.5" aria-hidden="true" />}
          onClick={() => void ask()}
        >
          {host ? texts.hostChange : texts.hostUse}
        </Button>
        {host && (
          <Button variant="quiet" disabled={change.isPending} onClick={() => void remove()}>
            {texts.hostRemove}
          </Button>
        )}
      </div>
    </section>
  )
}
