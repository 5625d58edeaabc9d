import { type Problem, whatToTry } from '../service/problem.ts'
import { KeyForm } from './key-form.tsx'

interface ProblemNoteProps {
  readonly problem: Problem
  readonly onRetry?: () => void
  /** Opens the store with another option, where the problem names one that helps. */
  readonly onOption?: (option: string) => void
}

/** What happened, and what to try. */
export function ProblemNote({ problem, onRetry, onOption }: ProblemNoteProps) {
  return (
    <section class="notice problem" role="alert">
      <h2>{problem.title}</h2>
      <p class="detail">{problem.message}</p>
      <p>{whatToTry(problem)}</p>
      {problem.kind === 'unauthorized' && <KeyForm />}
      {problem.option === 'sentinel' && onOption !== undefined && (
        <button type="button" onClick={() => onOption('sentinel=warn')}>
          Open without the missing value
        </button>
      )}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </section>
  )
}
