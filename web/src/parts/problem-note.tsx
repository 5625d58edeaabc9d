import { type Problem, whatToTry } from '../service/problem.ts'
import { KeyForm } from './key-form.tsx'

interface ProblemNoteProps {
  readonly problem: Problem
  readonly onRetry?: () => void
}

/** What happened, and what to try. */
export function ProblemNote({ problem, onRetry }: ProblemNoteProps) {
  return (
    <section class="notice problem" role="alert">
      <h2>{problem.title}</h2>
      <p class="detail">{problem.message}</p>
      <p>{whatToTry(problem)}</p>
      {problem.kind === 'unauthorized' && <KeyForm />}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </section>
  )
}
