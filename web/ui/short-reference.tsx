import { fieldTexts } from '../texts/fields.ts'
import { CopyButton } from './copy-button.tsx'

/** A reference in a column: its first six letters, and a button that copies the whole. */
export function ShortReference({ reference }: { reference: string }) {
  return (
    <CopyButton
      text={reference}
      label={fieldTexts.copyReference(reference.slice(0, SHOWN))}
      className="tabular text-small whitespace-nowrap"
    >
      {reference.slice(0, SHOWN)}
    </CopyButton>
  )
}

const SHOWN = 6
