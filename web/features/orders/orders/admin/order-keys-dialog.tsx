import { keysOn } from '../../../../lib/admin/keys.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { ORDER_KEYS } from './use-order-keys.ts'

export function OrderKeysDialog({ onClose }: { onClose: () => void }) {
  const on = keysOn.use()
  return (
    <Dialog title="Keys for orders" onClose={onClose} done="Done">
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
        {ORDER_KEYS.map(({ keys, does }) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="inline-flex min-w-9 justify-center rounded-box border border-line-strong bg-sunken px-2 py-0.5 font-sans font-semibold">
                {keys}
              </kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-5 flex min-h-11 items-center gap-3 border-t border-line pt-4">
        <input type="checkbox" className="size-5 accent-brand" checked={on} onChange={(event) => keysOn.set(event.currentTarget.checked)} />
        Use these keys on this browser
      </label>
    </Dialog>
  )
}
