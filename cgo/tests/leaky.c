/* Loses memory, which the leak detector must report although Go's runtime is in the process: otherwise
 * the other tests would not find their leaks either. */
#include "check.h"

int main(void)
{
	char *volatile lost;

	CHECK(qbb_open(QBB_ABI_VERSION) == 0);
	lost = malloc(1234);
	CHECK(lost != NULL);
	lost = NULL;
	return 0;
}
