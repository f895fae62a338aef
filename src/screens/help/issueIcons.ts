import type { ComponentType } from 'react';
import type { Issue } from '../../contract/help.ts';
import {
  BagIcon,
  CashIcon,
  ClockIcon,
  FlameIcon,
  HeartIcon,
  PinIcon,
  ReceiptIcon,
  ScooterIcon,
  TransferIcon,
  WarningIcon,
} from '../../ui/pictures/icons.ts';

export const ISSUE_ICONS: Readonly<Record<Issue, ComponentType<{ readonly size?: number }>>> = {
  missing: BagIcon,
  wrong: TransferIcon,
  cold: FlameIcon,
  damaged: WarningIcon,
  taste: HeartIcon,
  late: ClockIcon,
  notDelivered: PinIcon,
  rider: ScooterIcon,
  bill: ReceiptIcon,
  payment: CashIcon,
};
