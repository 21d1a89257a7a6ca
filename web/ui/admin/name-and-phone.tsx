import { spacedPhone } from '../../../shared/phones.ts'
import { classNames } from '../class-names.ts'

type Props = {
  name: string
  phone: string | null | undefined
  /** In a column, where a long name would make the row tall: one line of it, the rest under the pointer. */
  cut?: boolean
}

/** A name with its phone number below, since lists are searched by both. A guest's name has the number in it. */
export function NameAndPhone({ name, phone, cut }: Props) {
  return (
    <span className={classNames('block min-w-0', cut ? 'max-w-26' : 'break-words')}>
      <span title={cut ? name : undefined} className={cut ? 'block truncate' : undefined}>
        {name}
      </span>
      {phone && !name.includes(phone) && (
        <span className="tabular block text-small whitespace-nowrap text-muted">{spacedPhone(phone)}</span>
      )}
    </span>
  )
}
