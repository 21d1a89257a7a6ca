import { spacedPhone } from '../../../shared/phones.ts'

/** A name with its phone number below, since lists are searched by both. A guest's name has the number in it. */
export function NameAndPhone({ name, phone }: { name: string; phone: string | null | undefined }) {
  return (
    <span className="block min-w-0 break-words">
      {name}
      {phone && !name.includes(phone) && (
        <span className="tabular block text-small whitespace-nowrap text-muted">{spacedPhone(phone)}</span>
      )}
    </span>
  )
}
