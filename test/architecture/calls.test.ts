import { expect, test } from 'vitest';
import { allEndpoints } from '../kit/contract.ts';
import { client, sourcesIn } from './sources.ts';
