import { slugProblem } from '../../../../../shared/agent-shop-rules.ts'
import { session } from '../../../../lib/session.ts'
import { parseFields, useForm } from '../../../../lib/use-form.ts'
import { myShopTexts as texts } from '../../../../texts/my-shop.ts'
import { ThumbBar } from '../../../../ui/agent/thumb-bar.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { linkOf, useOpenShop } from './api.ts'
import { LookFields, lookProblems, toLook } from './look-fields.tsx'
import { ShareBox } from './share-box.tsx'

/** Opens the shop: a name, its link, and how guests reach it. Prices come after, and are the house's until then. */
export function OpenShopForm({ house }: { house: string }) {
  const open = useOpenShop()
  const phone = session.use()?.phone ?? ''
  const form = useForm({
    initial: { name: '', slug: '', about: '', colour: 'plum', phone, whatsapp: phone },
    draft: { form: 'open-shop', fields: ['name', 'slug', 'about', 'colour', 'phone', 'whatsapp'] },
    parse: ({ slug, ...look }) =>
      parseFields({ ...lookProblems(look), slug: slugProblem(slug || slugOf(look.name)) }, () => ({
        ...toLook(look),
        slug: slug || slugOf(look.name),
      })),
    submit: async (shop) => {
      await open.mutateAsync(shop)
      toast.success(texts.opened)
    },
  })
  const { name, slug, colour } = form.values
  const link = slug || slugOf(name)
  const button = (
    <Button type="submit" block size="large" busy={form.busy}>
      {texts.openNow}
    </Button>
  )
  return (
    <form {...form.props} className="flex flex-col gap-x-8 gap-y-6 lg:grid lg:grid-cols-[minmax(0,45rem)_23rem] lg:justify-between">
      <div className="flex min-w-0 flex-col gap-4">
        <p className="max-w-prose text-muted">{texts.openIntro(house)}</p>
        <LookFields
          field={form.field}
          valueField={form.valueField}
          colour={colour}
          onColour={(chosen) => form.setValue('colour', chosen)}
        />
        <Field
          {...form.field('slug')}
          label={texts.slug}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={30}
          value={link}
          hint={link === '' ? undefined : texts.slugHint(linkOf({ slug: link }).replace(/^https?:\/\//, ''))}
          onChange={(event) => form.setValue('slug', event.currentTarget.value.toLowerCase().replace(/[^a-z0-9-]+/g, '-'))}
        />
      </div>
      <aside className="flex min-w-0 flex-col gap-3">
        <div className="hidden lg:block">
          <ShareBox notYetOpen shop={{ name: name || texts.name, slug: link, colour: toLook(form.values).colour, logo: null }} />
        </div>
        {form.formError && (
          <p role="alert" className="text-body text-danger">
            {form.formError}
          </p>
        )}
        <div className="hidden lg:block">{button}</div>
      </aside>
      <ThumbBar className="lg:hidden">{button}</ThumbBar>
    </form>
  )
}

/** "Akosua’s Data" is "akosuas-data" in a link. */
function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9\s-]/g, '')
    .replace(/[\s-]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 30)
    .replace(/-$/, '')
}
