import { Component, type ReactNode } from 'react'
import { appTexts } from '../texts/app.ts'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'

type Props = { children: ReactNode }

/** Shows a failed screen's error with a way to load it again; the navigation stays. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  /** Most failures are code that did not arrive, so a reload helps. */
  override componentDidCatch() {
    window.addEventListener('online', reload)
  }

  override componentWillUnmount() {
    window.removeEventListener('online', reload)
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <Page width="reading" className="pt-12">
        <div role="alert">
          <h1 className="text-display">{appTexts.failed}</h1>
          <p className="my-4 text-large text-muted">{appTexts.failedText}</p>
          <Button onClick={reload}>{appTexts.loadAgain}</Button>
        </div>
      </Page>
    )
  }
}

function reload() {
  window.location.reload()
}
