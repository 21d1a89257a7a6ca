import { keysOn } from '../../lib/admin/keys.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { MORE, useScreens } from './screens.tsx'

const EVERYWHERE = [
  { keys: '/', does: 'Search' },
  { keys: '?', does: 'Show these keys' },
]
const INBOX = [
  { keys: 'J', does: 'Next' },
  { keys: 'K', does: 'Previous' },
  { keys: 'Enter', does: 'Open' },
  { keys: 'P', does: 'Process the order, or make the batch' },
  { keys: 'E', does: 'Complete what is delivered' },
  { keys: 'R', does: 'Reject the order' },
  { keys: 'A', does: 'Approve what matches for certain' },
  { keys: 'S', does: 'Try stuck work again' },
]

/** Every key of the portal. Single letters get in the way of some hands, so they can be switched off. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const on = keysOn.use()
  const screens = [...useScreens(), MORE].filter(({ letter }) => letter !== undefined)
  return (
    <Dialog title="Keys" onClose={onClose} done="Done">
      <Keys title="Everywhere" keys={EVERYWHERE} />
      <Keys title="Go to" keys={screens.map(({ letter = '', label }) => ({ keys: `G ${letter.toUpperCase()}`, does: label }))} />
      <Keys title="In the inbox" keys={INBOX} />
      <label className="mt-5 flex min-h-11 items-center gap-3 border-t border-line pt-4">
        <input
          type="checkbox"
          className="size-5 accent-brand"
          checked={on}
          onChange={({ currentTarget }) => keysOn.set(currentTarget.checked)}
        />
        Use these keys on this browser
      </label>
    </Dialog>
  )
}

function Keys({ title, keys }: { title: string; keys: readonly { keys: string; does: string }[] }) {
  return (
    <section aria-label={title} className="mt-4 first:mt-0">
      <h3 className="mb-2 text-small font-semibold tracking-normal text-muted">{title}</h3>
      <dl className="grid grid-cols-[4rem_1fr] items-center gap-x-4 gap-y-1.5">
        {keys.map(({ keys: pressed, does }) => (
          <div key={pressed} className="contents">
            <dt>
              <kbd className="inline-flex min-w-9 justify-center rounded-[8px] border border-line-strong bg-sunken px-2 py-0.5 font-sans text-small font-semibold">
                {pressed}
              </kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
