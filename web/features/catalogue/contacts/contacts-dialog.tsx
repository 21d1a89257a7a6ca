import { Pencil, Smartphone, Trash2, Users } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import type { Network } from '../../../../shared/networks.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { messageOf } from '../../../lib/http.ts'
import { useMediaQuery } from '../../../lib/use-media-query.ts'
import { contactTexts } from '../../../texts/contacts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Field } from '../../../ui/field.tsx'
import { NetworkArt } from '../../../ui/network-art.tsx'
import { toast } from '../../../ui/toast.ts'
import { deleteContact, saveContact, useReceivers } from './api.ts'
import { findReceivers, type KnownReceiver, receiversFor } from './find-receivers.ts'
import { canPickFromPhone, pickFromPhone } from './pick-from-phone.ts'

type Props = {
  network: Network
  /** A number to give a name to, at once. */
  naming: string | null
  onPick: (phoneNumber: string) => void
  onClose: () => void
}

/** `listed`: it was chosen from the list, which is there again afterwards. */
type Naming = { phoneNumber: string; name: string; listed?: true }

/** The people and numbers that suit a network: found by name, named, renamed, and taken from the phone's own contacts. */
export default function ContactsDialog({ network, naming, onPick, onClose }: Props) {
  const receivers = receiversFor(network, useReceivers())
  const [typed, setTyped] = useState('')
  const [named, setNamed] = useState<Naming | null>(naming ? { phoneNumber: naming, name: '' } : null)
  const found = findReceivers(typed, receivers)
  // On a phone the keyboard would cover the people.
  const hasKeyboard = useMediaQuery('(pointer: fine)')
  const list = useRef<HTMLUListElement>(null)

  const pick = (phoneNumber: string) => {
    onPick(phoneNumber)
    onClose()
  }
  const fromPhone = async () => {
    const picked = await pickFromPhone()
    if (!picked) return
    if (!picked.phoneNumber) {
      toast.danger(contactTexts.notMobile)
      return
    }
    onPick(picked.phoneNumber)
    setNamed(picked)
  }
  const forget = async ({ contactId, name }: KnownReceiver) => {
    if (!contactId || !name) return
    if (!(await confirmAction({ question: contactTexts.forget(name), danger: true, yes: contactTexts.remove }))) return
    try {
      await deleteContact(contactId)
      // The pressed button goes with the name.
      list.current?.focus()
    } catch (error) {
      toast.danger(messageOf(error))
    }
  }

  if (named) {
    return (
      <NameDialog
        network={network}
        phoneNumber={named.phoneNumber}
        name={named.name}
        onClose={() => {
          if (naming) onClose()
          else setNamed(null)
        }}
        onSaved={() => {
          if (named.listed) setNamed(null)
          else onClose()
        }}
      />
    )
  }
  return (
    <Dialog title={contactTexts.title} mark={<NetworkArt network={network} size={44} />} onClose={onClose}>
      <div className="flex flex-col gap-3">
        <Field
          label={contactTexts.search}
          type="search"
          value={typed}
          autoComplete="off"
          autoFocus={hasKeyboard}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && typed.trim() && found[0]) pick(found[0].phoneNumber)
          }}
        />
        {canPickFromPhone() && (
          <Button variant="secondary" icon={<Smartphone className="size-5" aria-hidden="true" />} onClick={() => void fromPhone()}>
            {contactTexts.fromPhone}
          </Button>
        )}
        {found.length === 0 ? (
          <EmptyState icon={<Users />} title={typed.trim() ? contactTexts.notFound : contactTexts.none}>
            {typed.trim() ? contactTexts.notFoundText : contactTexts.noneText}
          </EmptyState>
        ) : (
          <ul ref={list} tabIndex={-1} aria-label={contactTexts.people} className="flex min-h-60 flex-col outline-none">
            {found.map((receiver) => {
              const { phoneNumber, name, contactId } = receiver
              const shown = name ?? spacedPhone(phoneNumber)
              return (
                <li key={phoneNumber} className="flex items-center gap-1 border-b border-dotted border-line last:border-0">
                  <button type="button" onClick={() => pick(phoneNumber)} className="min-h-14 min-w-0 flex-1 py-1 text-left">
                    <span className="block truncate font-semibold">{shown}</span>
                    {name && <span className="block text-small text-muted">{spacedPhone(phoneNumber)}</span>}
                  </button>
                  <IconButton
                    label={contactTexts.renameOne(shown)}
                    onClick={() => setNamed({ phoneNumber, name: name ?? '', listed: true })}
                  >
                    <Pencil className="size-4.5" aria-hidden="true" />
                  </IconButton>
                  {contactId && (
                    <IconButton label={contactTexts.removeOne(shown)} onClick={() => void forget(receiver)}>
                      <Trash2 className="size-4.5" aria-hidden="true" />
                    </IconButton>
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

type NameProps = { network: Network; phoneNumber: string; name: string; onClose: () => void; onSaved: () => void }

function NameDialog({ network, phoneNumber, name: before, onClose, onSaved }: NameProps) {
  const [name, setName] = useState(before)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || name.trim() === '') return
    setBusy(true)
    try {
      await saveContact({ network, phoneNumber, name: name.trim() })
      toast.success(contactTexts.saved(name.trim()))
      onSaved()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={contactTexts.title} mark={<NetworkArt network={network} size={44} />} onClose={onClose}>
      <form onSubmit={(event) => void save(event)} className="flex flex-col gap-4" noValidate>
        <Field
          label={contactTexts.nameFor(spacedPhone(phoneNumber))}
          value={name}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="words"
          autoFocus
          error={problem}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" size="large" block busy={busy} disabled={name.trim() === ''}>
          {contactTexts.save}
        </Button>
      </form>
    </Dialog>
  )
}
