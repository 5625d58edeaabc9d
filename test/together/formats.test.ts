import { together } from './together.ts'

together('formats')
