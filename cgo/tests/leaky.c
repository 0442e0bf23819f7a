/* Loses memory, which the leak detector must say, though Go's runtime is in the process: else the
 * other tests would find no leak of theirs either. */
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
