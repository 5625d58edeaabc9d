import { together } from './together.ts'

together('joins')
