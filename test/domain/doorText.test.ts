import fc from 'fast-check';
import { expect, test } from 'vitest';
import { landmarkName, splitDoor } from '../../src/domain/doorText.ts';

test('what stands before the area is a house and a street, as people here write them', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['12 MG Road', '12', 'MG Road'],
    ['12, 80 feet road', '12', '80 feet road'],
    ['80 feet road', '', '80 feet road'],
    ['12 80 ft road', '12', '80 ft road'],
    ['5th Cross Road', '', '5th Cross Road'],
    ['5th Street', '', '5th Street'],
    ['12th Avenue', '', '12th Avenue'],
    ['1st, 2nd Street', '1st', '2nd Street'],
    ['4a5th Street', '4a5th', 'Street'],
    ['5sta Road', '5sta', 'Road'],
    ['Flat Main Road', 'Flat', 'Main Road'],
    ['Main Road', '', 'Main Road'],
    ['Plot 5, Shop 6 - Park Street', 'Plot 5, Shop 6', 'Park Street'],
    ['No. 7/3, 27 Main', 'No. 7/3', '27 Main'],
    ['Flat 4B - Park Street', 'Flat 4B', 'Park Street'],
    ['H.No. 221/2 Baker Street', 'H.No. 221/2', 'Baker Street'],
    ['Sunrise Apartments; Wing C\nHill Road', 'Sunrise Apartments, Wing C', 'Hill Road'],
    ['Hill Road, behind the school', '', 'Hill Road, behind the school'],
    ['Hill Road, 12 Park Lane', '', 'Hill Road, 12 Park Lane'],
    ['B12 Hill Road', 'B12', 'Hill Road'],
    ['Flat C2 Hill Road', 'Flat C2', 'Hill Road'],
    ['AB7a Hill Road', 'AB7a', 'Hill Road'],
    ['B7 Road', '', 'B7 Road'],
    ['NH44 Hosur Road', '', 'NH44 Hosur Road'],
    ['SH17 Mysuru Road', '', 'SH17 Mysuru Road'],
    ['Nh Hill Road', '', 'Nh Hill Road'],
    ['ABC7 Hill Road', '', 'ABC7 Hill Road'],
    ['House 3, Road 7, Block B', 'House 3', 'Road 7, Block B'],
    ['মিরপুর রোড', '', 'মিরপুর রোড'],
    ['বাসা 12 মিরপুর রোড', 'বাসা 12', 'মিরপুর রোড'],
    ['मकान 5 गांधी मार्ग', 'मकान 5', 'गांधी मार्ग'],
    ['FLAT 9 GALLE ROAD', 'FLAT 9', 'GALLE ROAD'],
    ['12 Main Street', '12', 'Main Street'],
    ['12, Ward Place', '12', 'Ward Place'],
    ['Block C', '', 'Block C'],
    ['Flat 2, 4th Block', 'Flat 2', '4th Block'],
    ['Road 90, House 12', 'House 12', 'Road 90'],
    ['H-12, R-5', 'H-12', 'R-5'],
    ['Rose Villa', 'Rose Villa', ''],
    ['12/A 5th Main', '12/A', '5th Main'],
    ['12/A-1 Park Street', '12/A-1', 'Park Street'],
    ['B-204 Hill Road', 'B-204', 'Hill Road'],
    ['12-5th Cross', '12', '5th Cross'],
    ['Flat 4 B Park Street', 'Flat 4 B', 'Park Street'],
    ['12 A Main', '12', 'A Main'],
    ['Shop 5 Main Market', 'Shop 5', 'Main Market'],
    ['Flat 3B, 2nd floor, Tower C', 'Flat 3B, 2nd floor, Tower C', ''],
    ['Hill Road, Flat 3B, 2nd floor, Tower C', 'Flat 3B, 2nd floor, Tower C', 'Hill Road'],
    ['Hill Road, Rose Apartments, 4th floor', 'Rose Apartments, 4th floor', 'Hill Road'],
    ['MG Road 45', '45', 'MG Road'],
    ['Galle Rd 12/3', '12/3', 'Galle Rd'],
    ['Galle Rd No. 12/3', 'No. 12/3', 'Galle Rd'],
    ['Hekitta road, 45/3', '45/3', 'Hekitta road'],
    ['House 7, Zakir Hossain Road 5', 'House 7', 'Zakir Hossain Road 5'],
    ['Galle Road 45, 2nd floor', '45, 2nd floor', 'Galle Road'],
    ['CDA Avenue house 12', 'house 12', 'CDA Avenue'],
    ['Road 5 House 12', 'House 12', 'Road 5'],
    ['Road No 5', '', 'Road No 5'],
    ['Banasree Block C Road 4 House 12', 'House 12', 'Banasree Block C Road 4'],
    ['Block C Road 4 House 12', 'House 12', 'Block C Road 4'],
    ['Block D, 4/6', '4/6', 'Block D'],
    ['Union Place 120', '120', 'Union Place'],
    ['5th Cross 12', '', '5th Cross 12'],
    ['plot 15 sector 7', 'plot 15', 'sector 7'],
    ['J Block House No 45', 'House No 45', 'J Block'],
    ['Block No 5', '', 'Block No 5'],
    ['Flat 2 4th Block', 'Flat 2', '4th Block'],
    ['H#23 R#11 Blk#D', 'H#23', 'R#11, Blk#D'],
    ['Anura Perera no 12 High Level Road', 'no 12', 'High Level Road'],
    ['Kasun 23/4 Galle Rd', '23/4', 'Galle Rd'],
    ['Sector 5 Hill Road', '', 'Sector 5 Hill Road'],
    ['१२ गांधी मार्ग', '१२', 'गांधी मार्ग'],
    ['गांधी मार्ग १२', '१२', 'गांधी मार्ग'],
    ['१२/ए गांधी मार्ग', '१२/ए', 'गांधी मार्ग'],
    ['বাসা ১২/এ, রোড ৫', 'বাসা ১২/এ', 'রোড ৫'],
    ['রোড ৫, ১২ নং বাড়ি', '১২ নং বাড়ি', 'রোড ৫'],
    ['மனை ௧௨ காந்தி சாலை', 'மனை ௧௨', 'காந்தி சாலை'],
    ['🏠 Flat 3 | 5th Main। Rose Villa', 'Flat 3, Rose Villa', '5th Main'],
    [' , ;\n', '', ''],
    ['', '', ''],
  ];
  for (const [text, house, street] of table) expect(splitDoor(text), text).toEqual({ house, street });
});

test('no letter and no digit of an address is lost, and none stands there twice', () => {
  const words = [
    ...[
      ...['12', '12/3', 'B-204', 'No.', 'House', 'Flat', 'Road', 'Galle', 'Main', '5th', 'Cross', 'Block'],
      ...['sector', '80'],
    ],
    ...[
      ...['feet', 'floor', 'Place', 'R#5', 'Blk#D', 'C', 'गली', '१२', 'রোড', '৫', '#', '-', '/', '(', ')', '.'],
      ...[',', '|', '🏠', '।', 'İ'],
    ],
  ];
  const signs = (text: string) => (text.match(/[\p{L}\p{N}]/gu) ?? []).toSorted().join('');
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 9 }), fc.constantFrom(' ', ''), (list, between) => {
      const text = list.join(between);
      const { house, street } = splitDoor(text);
      expect(signs(house + street), text).toBe(signs(text));
    }),
    { numRuns: 2_000 },
  );
});

test('a landmark is named without what our own sentence says of it', () => {
  const table: readonly (readonly [string, string])[] = [
    ['Near the metro', 'the metro'],
    ['nr. SBI', 'SBI'],
    ['close to the park', 'the park'],
    ['near by', ''],
    ['opp. SBI', 'opp. SBI'],
    ['Nearwell Clinic', 'Nearwell Clinic'],
    ['मेट्रो के पास', 'मेट्रो'],
    ['SBI बैंक के सामने', 'SBI बैंक के सामने'],
    ['கோவில் அருகில்', 'கோவில்'],
  ];
  for (const [text, name] of table) expect(landmarkName(text), text).toBe(name);
});

test('the person who gets the order is no part of the house, and a house that is named like one stays', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['Ravi Kumar, 12 MG Road', '12', 'MG Road'],
    ['Priya Sharma\nFlat 302, Sai Residency', 'Flat 302, Sai Residency', ''],
    ['C/o Suresh Gupta, H.No. 45', 'H.No. 45', ''],
    ['Attn: Deepa, 3rd floor, Tower B', '3rd floor, Tower B', ''],
    ['Name: Rahul Verma\n17/2, 4th Cross', '17/2', '4th Cross'],
    ['Dr. Meena Nair, 56 Hill Road', '56', 'Hill Road'],
    ['Mohammed Irfan 4-1-22', '4-1-22', ''],
    ['श्री मोहन लाल, मकान 14', 'मकान 14', ''],
    ['মোঃ রফিকুল ইসলাম, বাসা ১২, রোড ৫', 'বাসা ১২', 'রোড ৫'],
    ['জনাব আরিফ রহমান, বাসা নং ৪৫', 'বাসা নং ৪৫', ''],
    ['நிமல் பெரேரா, இல 7', 'இல 7', ''],
    ['නිමල් පෙරේරා, අංක 12, ගාලු පාර', 'අංක 12', 'ගාලු පාර'],
    ['Mr. K. Sivakumar, No. 12/3, Station Road', 'No. 12/3', 'Station Road'],
    ['12, Dr Ambedkar Road', '12', 'Dr Ambedkar Road'],
    ['Lakshmi Nivas, 14, 3rd Cross', 'Lakshmi Nivas, 14', '3rd Cross'],
    ['Sri Krishna Apartments, Flat 4', 'Sri Krishna Apartments, Flat 4', ''],
    ['Rahman Manzil, House 8', 'Rahman Manzil, House 8', ''],
    ['Perera Stores, 12 Kandy Road', 'Perera Stores, 12', 'Kandy Road'],
  ];
  for (const [text, house, street] of table) expect(splitDoor(text), text).toEqual({ house, street });
});
