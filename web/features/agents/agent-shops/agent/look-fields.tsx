import { SHOP_COLOURS, type ShopColour } from '../../../../../shared/agent-shop-rules.ts'
import { SHOP_SHADES } from '../../../../../shared/agent-shop-shades.ts'
import type { ShopLook } from '../../../../../shared/agent-shops.ts'
import { phoneProblem } from '../../../../../shared/phones.ts'
import { myShopTexts as texts } from '../../../../texts/my-shop.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { Field } from '../../../../ui/field.tsx'
import { PhoneField } from '../../../../ui/phone-field.tsx'

/** How the shop looks, as the fields hold it. */
export type LookValues = { name: string; about: string; colour: string; phone: string; whatsapp: string }

export function valuesOf(look: ShopLook): LookValues {
  const { name, about, colour, phone, whatsapp } = look
  return { name, about: about ?? '', colour, phone: phone ?? '', whatsapp: whatsapp ?? '' }
}

export function toLook({ name, about, colour, phone, whatsapp }: LookValues): ShopLook {
  return { name: name.trim(), about: about.trim() || null, colour: colour as ShopColour, phone: phone || null, whatsapp: whatsapp || null }
}

export function lookProblems({ name, phone, whatsapp }: LookValues) {
  const length = name.trim().length
  return {
    name: length < 2 || length > 40 ? texts.nameLength : null,
    phone: phone === '' ? null : phoneProblem(phone),
    whatsapp: whatsapp === '' ? null : phoneProblem(whatsapp),
  }
}

type TextName = 'name' | 'about'
type PhoneName = 'phone' | 'whatsapp'
type Props = {
  field: (name: TextName) => {
    name: string
    value: string
    error: string | undefined
    onChange: (event: { currentTarget: { value: string } }) => void
  }
  valueField: (name: PhoneName) => { name: string; value: string; error: string | undefined; onValue: (value: string) => void }
  colour: string
  onColour: (colour: ShopColour) => void
}

export function LookFields({ field, valueField, colour, onColour }: Props) {
  return (
    <>
      <Field {...field('name')} label={texts.name} autoComplete="organization" maxLength={40} />
      <Field {...field('about')} label={texts.about} hint={texts.aboutHint} autoComplete="off" maxLength={80} />
      <PhoneField {...valueField('phone')} label={texts.phone} />
      <PhoneField {...valueField('whatsapp')} label={texts.whatsApps} hint={texts.optional} />
      <Colours chosen={colour} onChoose={onColour} />
    </>
  )
}

function Colours({ chosen, onChoose }: { chosen: string; onChoose: (colour: ShopColour) => void }) {
  return (
    <fieldset>
      <legend className="mb-1 text-body font-semibold">{texts.colour}</legend>
      <div className="grid max-w-75 grid-cols-4 gap-1">
        {SHOP_COLOURS.map((colour) => (
          <button
            key={colour}
            type="button"
            aria-pressed={colour === chosen}
            aria-label={texts.colours[colour]}
            title={texts.colours[colour]}
            onClick={() => onChoose(colour)}
            className="grid min-h-11 place-items-center rounded-box"
          >
            <span
              className={classNames('size-8 rounded-[10px]', colour === chosen && 'outline-2 outline-offset-2 outline-ink')}
              style={{ background: SHOP_SHADES[colour].band }}
            />
          </button>
        ))}
      </div>
    </fieldset>
  )
}
