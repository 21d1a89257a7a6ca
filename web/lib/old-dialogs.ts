type OldDialog = HTMLElement & { backdrop?: HTMLElement | undefined }

/** Above all that a page stacks by itself. */
const TOP = 2_147_480_000
const RULES = [
  'dialog { display: block; position: fixed; left: 0; right: 0; top: 0; bottom: 0; margin: auto }',
  'dialog:not([open]) { display: none }',
  '.dialog-backdrop { position: fixed; left: 0; right: 0; top: 0; bottom: 0; background: var(--shade) }',
]

/**
 * Modal dialogs for Firefox before 98 and Safari before 15.4, as much of them as web/ui/dialog.tsx uses: the topmost alone has the focus
 * and hears Escape, and what lies outside it is behind a shade, whose press is one on the dialog. A sheet's own styles come after `RULES`.
 */
export function openDialogs() {
  const open: OldDialog[] = []
  const sheet = document.styleSheets[0]
  for (const rule of RULES) sheet?.insertRule(rule, 0)

  const close = (dialog: OldDialog) => {
    const at = open.indexOf(dialog)
    if (at !== -1) open.splice(at, 1)
    dialog.backdrop?.remove()
    dialog.backdrop = undefined
    dialog.removeAttribute('open')
  }
  const show = (dialog: OldDialog) => {
    const backdrop = document.createElement('div')
    backdrop.className = 'dialog-backdrop'
    backdrop.addEventListener('click', () => void dialog.dispatchEvent(new MouseEvent('click', { bubbles: true })))
    dialog.before(backdrop)
    backdrop.style.zIndex = dialog.style.zIndex = String(TOP + open.length)
    Object.assign(dialog, { backdrop })
    open.push(dialog)
    dialog.setAttribute('open', '')
    focusIn(dialog)
  }

  Object.assign(HTMLElement.prototype, {
    showModal(this: OldDialog) {
      show(this)
    },
    close(this: OldDialog) {
      close(this)
    },
  })
  document.addEventListener('keydown', (event) => {
    const top = open[open.length - 1]
    if (!top || event.key !== 'Escape' || event.defaultPrevented) return
    if (top.dispatchEvent(new Event('cancel', { cancelable: true }))) close(top)
  })
  document.addEventListener('focusin', ({ target }) => {
    const top = open[open.length - 1]
    if (top && target instanceof Node && !top.contains(target)) focusIn(top)
  })
}

function focusIn(dialog: HTMLElement) {
  dialog.querySelector<HTMLElement>('button, input, select, textarea, a[href], [tabindex]')?.focus()
}
