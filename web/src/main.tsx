import { render } from 'preact'
import { App } from './app.tsx'

const target = document.getElementById('app')
if (target !== null) {
  // What the service wrote for readers without a script makes room in one step, of the same shape.
  target.replaceChildren()
  render(<App />, target)
}
