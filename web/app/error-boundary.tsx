import { Component, type ReactNode } from 'react'
import { type Trouble, tellTrouble, troubleOf } from '../lib/fetch-code.ts'
import { Page } from '../ui/page.tsx'

type Props = { children: ReactNode }

/** Says why a screen can't be shown, with a way to load it again; the navigation stays. */
export class ErrorBoundary extends Component<Props, { trouble?: Trouble }> {
  override state: { trouble?: Trouble } = {}

  static getDerivedStateFromError(error: unknown) {
    return { trouble: troubleOf(error) }
  }

  override componentDidCatch(error: unknown) {
    tellTrouble(error)
    window.addEventListener('online', reload)
  }

  override componentWillUnmount() {
    window.removeEventListener('online', reload)
  }

  override render() {
    const { trouble } = this.state
    if (!trouble) return this.props.children
    return (
      <Page width="reading" className="pt-12">
        <div role="alert" ref={(box) => void (box && !box.firstChild && say(box, trouble))} />
      </Page>
    )
  }
}

/** In the words that came with the page, which need no code. */
function say(box: HTMLElement, trouble: Trouble) {
  for (const id of [`stuck-${trouble}`, 'help']) box.innerHTML += document.getElementById(id)?.innerHTML ?? ''
}

function reload() {
  window.location.reload()
}
