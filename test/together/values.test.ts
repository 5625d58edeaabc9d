import { together } from './together.ts'

together('values')
