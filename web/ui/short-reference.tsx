import { fieldTexts } from '../texts/fields.ts'
import { classNames } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'

/** A reference in a column: its first six letters, and a button that copies the whole, which details show. */
export function ShortReference({ reference, whole = false }: { reference: string; whole?: boolean | undefined }) {
  const shown = whole ? reference : reference.slice(0, SHOWN)
  return (
    <CopyButton
      text={reference}
      label={fieldTexts.copyReference(shown)}
      className={classNames('tabular text-small', whole ? 'break-all' : 'whitespace-nowrap')}
    >
      {shown}
    </CopyButton>
  )
}

const SHOWN = 6
